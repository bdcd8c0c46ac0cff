/** What tests seal secrets with. */
import { createSeals } from '../../src/host/seals.ts'

/** For processes that a test starts: the value of SECRET_KEY. */
export const testSecret = 'what-tests-seal-secrets-with-is-not-secret'

export const testSeals = createSeals([testSecret])
