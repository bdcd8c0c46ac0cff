/** Ends the run of the tests with the first of them that fails: a mutant that is noticed needs no further judge. */
export default async function* firstFailure(events: AsyncIterable<{ type: string }>): AsyncGenerator<string> {
  for await (const { type } of events) if (type === 'test:fail') process.exit(1)
  yield ''
}
