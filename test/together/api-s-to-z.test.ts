/** See import-tests.ts. */
import { importTests } from './import-tests.ts'

await importTests('api-s-to-z.test.ts')
