import pg from 'pg'
import { readFileSync, writeFileSync } from 'node:fs'
import { spawn, fork } from 'node:child_process'
import { once } from 'node:events'
import { withPlace } from '../place.ts'
import { serverSeconds } from '../processor-time.ts'
import { timed } from '../figures.ts'
import { makeDueSite, settleDown } from './data.ts'
import { renewBySetsAlone } from './ceiling.ts'
import { renewOneByOne } from './one-by-one.ts'

const count = Number(process.argv[2] ?? 10000)
const ways = (process.argv[3] ?? 'a1,a2,b1,b2,bb,c').split(',')
const setSize = Number(process.argv[4] ?? 500)
await withPlace(async (place) => {
  for (const s of (process.env.PRE ?? '').split(';').filter(Boolean)) await place.run(s)
  for (const way of ways) {
    const seed = await timed(() => makeDueSite(place, count))
    await settleDown(place)
    const site = seed.result
    let perf
    if (process.env.PERF) {
      const pid = readFileSync(place.directory + '/data/postgres/postmaster.pid', 'utf8').split('\n')[0]
      perf = spawn('perf', ['record', '-g', '-F', '1500', '-o', process.env.PERF, '-p', pid!, ...(way[0] === 'a' ? [] : [])], { stdio: 'ignore' })
      await new Promise((r) => setTimeout(r, 500))
      if (way[0] === 'a') place.pool = new pg.Pool({ ...place.connection, max: 4 }).on('error', () => {})
    }
    if (process.env.LOGALL) await place.run("alter role kalends set log_min_duration_statement = 0", 'alter role kalends set log_error_verbosity = verbose', 'alter role kalends set log_executor_stats = on')
    const before = await serverSeconds(place)
    let seconds = 0, renewed = 0, extra = ''
    if (way.startsWith('a')) {
      const n = way === 'a2' ? 2 : 1
      const clients = await Promise.all(Array.from({ length: n }, () => place.pool.connect()))
      const r = await timed(() => Promise.all(clients.map((c) => renewBySetsAlone(c, site, setSize))))
      seconds = r.seconds; renewed = r.result.reduce((x, y) => x + y, 0)
      for (const c of clients) c.release()
    } else if (way === 'c') {
      const r = await timed(() => renewOneByOne(place.pool, site))
      seconds = r.seconds; renewed = r.result
    } else {
      const procs = way === 'b2' ? 2 : 1, loops = way === 'bb' ? 2 : 1
      const kids = Array.from({ length: procs }, () => fork(new URL('./engine.ts', import.meta.url), [JSON.stringify({ connection: place.connection, siteId: site.id, loops, setSize })], { execArgv: process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=' + process.env.PROF] : [] }))
      await Promise.all(kids.map((k) => once(k, 'message')))
      const r = await timed(() => Promise.all(kids.map(async (k) => { k.send('go'); return (await once(k, 'message'))[0] })))
      await Promise.all(kids.map((k) => k.exitCode ?? once(k, 'exit')))
      seconds = r.seconds; renewed = r.result.reduce((x, y) => x + y.renewed, 0)
      extra = JSON.stringify(r.result)
    }
    if (perf) { perf.kill('SIGINT'); await once(perf, 'exit') }
    const db = (await serverSeconds(place)) - before
    if (process.env.LOGALL) writeFileSync(process.env.LOGALL + way, readFileSync(place.directory + '/data/postgres.log'))
    console.log(way, 'seed', seed.seconds.toFixed(1), 'renewed', renewed, 'rate', Math.round(renewed / seconds), 'db us/sub', Math.round((db / renewed) * 1e6), extra)
  }
})
