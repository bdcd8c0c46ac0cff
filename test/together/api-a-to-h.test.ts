/** See import-tests.ts. */
import { importTests } from './import-tests.ts'

await importTests('api-a-to-h.test.ts')
