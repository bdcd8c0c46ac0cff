/** See import-tests.ts. */
import { importTests } from './import-tests.ts'

await importTests('units.test.ts')
