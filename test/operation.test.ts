/** What an operator meets before the service runs: one sentence for what is to be put right, and nothing that is lost by it. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { setUpFirstSite } from '../src/actions/set-up-first-site.ts'
import { readConfig } from '../src/host/config.ts'
import { makeDirectory } from '../src/host/data-dir.ts'
import { hashKey } from '../src/host/secrets.ts'
import { openDatabase } from '../src/store/database.ts'
import { migrateAt } from '../src/store/migrate.ts'
import { listSites } from '../src/store/sites.ts'
import { startService } from './crashes/service.ts'
import { appOn } from './support/app-on.ts'
import { testDatabase } from './support/database.ts'
import { runProgram, runProgramWith } from './support/program.ts'

/** One line, and no trace of where in the code it was said. */
const assertOneSentence = (output: string, expected: RegExp): void => {
  assert.match(output, expected)
  assert.equal(output.trim().split('\n').length, 1, output)
}

const placeFor = (t: TestContext): string => {
  const place = mkdtempSync(join(tmpdir(), 'kalends-operation-'))
  t.after(() => rmSync(place, { recursive: true }))
  return place
}

test('a first start that finds its port taken says so, and has told the key of the site that it made', async (t) => {
  const { url } = await testDatabase(t)
  const other = createServer()
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
  t.after(() => other.close())
  const { port } = other.address() as { port: number }
  const variables = { DATABASE_URL: url, DATA_DIR: placeFor(t), DEMO_DATA: '0', HOST: '127.0.0.1' }
  for (const variable of ['METRICS_PORT', 'PORT']) {
    const { code, output } = await runProgramWith({ ...variables, PORT: '0', [variable]: String(port) }, 'serve')
    assert.equal(code, 1)
    const key = / API key +(\S{32})\n/.exec(output)?.[1]
    // The site is there at the second start.
    assert.equal(key === undefined, variable === 'PORT')
    if (key !== undefined) assert.equal(await sitesOpenedBy(url, key), 1)
    const said = output.trim().split('\n').at(-1)!
    const named = variable === 'PORT' ? 'HOST, PORT' : 'METRICS_HOST, METRICS_PORT'
    assert.equal(
      said,
      `kalends: The service cannot listen on 127.0.0.1, port ${port} (${named}): another program uses it.`,
    )
  }
})

async function sitesOpenedBy(url: string, key: string): Promise<number> {
  const { rows } = await ask(url, 'select count(*)::int as count from api_keys where key_hash = $1', [hashKey(key)])
  return rows[0].count
}

async function ask(url: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query(statement, values)
  } finally {
    await client.end()
  }
}

test('a database that cannot be opened is told in one sentence, without its password', async () => {
  for (const [url, reason] of [
    ['postgres://u:geheim@127.0.0.1:1/x', 'connect ECONNREFUSED 127\\.0\\.0\\.1:1'],
    ['postgres://u:geheim@[', 'Invalid URL'],
  ] as const) {
    const { code, output } = await runProgram(url, 'verify')
    assert.equal(code, 1)
    assertOneSentence(output, new RegExp(`^kalends: The database of DATABASE_URL cannot be opened: ${reason}\\.\n$`))
    assert.doesNotMatch(output, /geheim/)
  }
})

test('a database that does not fit is refused before anything is written', async (t) => {
  const { url } = await testDatabase(t)
  const place = new URL(url)
  place.pathname += '_unfit'
  const name = place.pathname.slice(1)
  for (const [encoding, problem] of [
    ['LATIN1', /is encoded as LATIN1; UTF8 is needed\.$/],
    ['UTF8', /does not let \w+ make tables in the schema of its search_path\.$/],
  ] as const) {
    await ask(url, `create database ${name} encoding '${encoding}' locale 'C' template template0`)
    try {
      await ask(place.href, 'drop schema public')
      await assert.rejects(migrateAt({ connectionString: place.href }), problem)
    } finally {
      await ask(url, `drop database ${name}`)
    }
  }
})

test('a DATA_DIR that cannot be used is told in one sentence, wherever it is first needed', async (t) => {
  const { url } = await testDatabase(t)
  const place = join(import.meta.dirname, 'operation.test.ts', 'data')
  for (const variables of [{ DATABASE_URL: '' }, { DATABASE_URL: url, SECRET_KEY: '' }, { DATABASE_URL: url }]) {
    const { code, output } = await runProgramWith(
      { ...variables, DATA_DIR: place, DEMO_DATA: '0', API_KEY: 'key', PORT: '0' },
      'serve',
    )
    assert.equal(code, 1)
    assertOneSentence(output.slice(output.indexOf('kalends: ')), /^kalends: .*(cannot be used|cannot be read): ENOTDIR/)
  }
})

test('a directory is not looked for without end where none can be made', { skip: !existsSync('/proc/self') }, () => {
  assert.throws(() => makeDirectory('/proc/kalends/data'), /ENOENT/)
})

test('an API key that no client could send is refused', async (t) => {
  const { url } = await testDatabase(t)
  await runProgram(url, 'site', 'create', '--subdomain', 'first')
  for (const words of [
    ['key', 'create', '--site', 'first', '--api-key', ''],
    ['key', 'create', '--site', 'first', '--api-key', 'a:b'],
    ['site', 'create', '--subdomain', 'second', '--api-key', 'a b'],
  ]) {
    const { code, output } = await runProgram(url, ...words)
    assert.equal(code, 1)
    assertOneSentence(
      output,
      /^kalends: API key: must be 1 to 255 printable ASCII characters without spaces or colons\./,
    )
  }
  assert.equal((await runProgram(url, 'key', 'create', '--site', 'first', '--api-key', 'a-b')).output, 'a-b\n')
})

test('keys are listed and revoked at the command line, the last one too', async (t) => {
  const { url } = await testDatabase(t)
  const made = await runProgram(url, 'site', 'create', '--subdomain', 'first', '--live')
  assert.match(made.output, /\nNo payment gateway is set up for live sites yet, .* paid by invoice work\.\n$/)
  assert.doesNotMatch((await runProgram(url, 'site', 'create', '--subdomain', 'second')).output, /gateway/)
  const key = /shown this once: (\S{32})\n/.exec(made.output)![1]!
  await runProgram(url, 'key', 'create', '--site', 'first', '--api-key', 'abcdefgh', '--name', 'Shop')
  const list = () => runProgram(url, 'key', 'list', '--site', 'first')
  const listed = (await list()).output.trimEnd().split('\n')
  const [[id, prefix, , use], [other, , , , name]] = listed.map((line) => line.split('\t')) as [string[], string[]]
  assert.deepEqual([prefix, use, name], [`${key.slice(0, 6)}...`, 'never used', 'Shop'])
  const revoke = (site: string, one: string) => runProgram(url, 'key', 'revoke', '--site', site, '--id', one)
  assertOneSentence((await revoke('third', id!)).output, /^kalends: There is no site with the subdomain 'third'\./)
  assertOneSentence((await revoke('second', id!)).output, /^kalends: Site second has no key \d+\./)
  assert.deepEqual(await revoke('first', id!), { code: 0, output: `Key ${id} of site first is revoked.\n` })
  assert.match((await revoke('first', other!)).output, /No key of it is left; `key create` makes one\.\n$/)
  assert.equal((await list()).output, '')
  const again = await runProgram(url, 'key', 'create', '--site', 'first', '--api-key', 'abcdefgh')
  assertOneSentence(again.output, /^kalends: API key: must be unique/)
})

test('a service that is told to stop while it starts comes up, stops, and ends with 0', async (t) => {
  const { url } = await testDatabase(t)
  const service = await startService({ databaseUrl: url, demoData: true })
  // The demo data comes after this, and takes a while; on a quick machine it may be there already.
  while (!service.said().includes('Welcome')) await new Promise((later) => setTimeout(later, 1))
  assert.equal(await service.stop(), '0')
  assert.match(service.said(), /is ready at .*\nStopping \(SIGTERM\)/)
})

test('a service without the API names no address', async (t) => {
  const { url } = await testDatabase(t)
  const service = await startService({ databaseUrl: url, role: 'workers' })
  while (!/\b(is|are) ready( at .*)?\n/.test(service.said())) await new Promise((later) => setTimeout(later, 10))
  assert.match(service.said(), /^The workers of Kalends are ready\n$/m)
  assert.doesNotMatch(service.said(), /is ready at/)
  assert.equal(await service.stop(), '0')
})

test('of processes that start at once on a new database one makes the first site, and all go on', async (t) => {
  const { connection } = await testDatabase(t)
  const db = openDatabase(connection)
  t.after(() => db.close())
  const config = readConfig({ API_KEY: 'key' })
  const made = await Promise.all(Array.from({ length: 4 }, () => setUpFirstSite(appOn(db, []), config)))
  assert.equal(made.filter((first) => first !== undefined).length, 1)
  assert.equal((await listSites(db)).length, 1)
})

test('the command line tells its version and what each command does, without a database', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }
  assert.deepEqual(await runProgramWith(nowhere, '--version'), { code: 0, output: `${version}\n` })
  for (const words of [[], ['site'], ['key']]) {
    const { code, output } = await runProgramWith(nowhere, ...words, '--help')
    assert.equal(code, 0)
    const commands = output.slice(output.indexOf('Commands:')).trim().split('\n').slice(1)
    assert.ok(commands.length > 1)
    for (const line of commands) assert.match(line, /^ {2}\S.*? {2,}\S|^ {10,}\S/)
  }
})
