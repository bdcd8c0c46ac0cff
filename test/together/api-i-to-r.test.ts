/** See import-tests.ts. */
import { importTests } from './import-tests.ts'

await importTests('api-i-to-r.test.ts')
