/** Prints what comes of stories: `bin/node test/stories/run.ts [--write] [name...]`; with --write that becomes their golden answers. */
import { administer, startTestServer, urlOf } from '../support/server.ts'
import { openWorld } from '../support/story-world.ts'
import { happen, listStories, writeAnswer } from './library.ts'

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const names = wanted.length > 0 ? wanted : listStories()
const write = process.argv.includes('--write')

const { url, template } = await startTestServer()
const database = `stories_${process.pid}`
await administer(url, `create database ${database} template ${template} strategy file_copy`)
const world = await openWorld({ connectionString: urlOf(url, database) })
for (const name of names) {
  const answer = await happen(world, name)
  if (write) writeAnswer(name, answer)
  console.log(write ? `wrote ${name}.out` : `${answer}\n`)
}
await world.close()
await administer(url, `drop database ${database}`)
