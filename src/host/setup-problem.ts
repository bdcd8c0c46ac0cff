/** What an operator must put right before the service can run; the message is the whole story and needs no stack trace. */

export class SetupProblem extends Error {
  override name = 'SetupProblem'
}
