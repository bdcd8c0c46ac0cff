/** Documents per second, and memory after many: the renderer beside the bare compiler that never ends. `npm run bench -- pdf [count]`. */
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../src/host/log.ts'
import type { PrintedDocument } from '../../src/pdf/document.ts'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import type { Delivery, Order } from '../../src/pdf/typesetter.ts'
import { documents } from '../../test/support/printed-documents.ts'
import { print, timed, whole } from '../figures.ts'

const usual = ['one-line', 'partial-payment', 'paid'].map((name) => documents[name]!)
const typesetter = join(import.meta.dirname, '../../src/pdf/typesetter.ts')

/** Like the invoices of a month: of three shapes, and each with a number of its own. */
const documentOf = (index: number): PrintedDocument => ({
  ...usual[index % usual.length]!,
  number: String(index + 1).padStart(6, '0'),
})

export async function benchPdf(args: string[]): Promise<void> {
  const count = Number(args[0] ?? 5000)
  await benchBareProcess(count)
  for (const processes of [1, 2]) await benchRenderer(count, processes)
}

/** One process that is never replaced: what the compiler takes, and what it does not give back. */
async function benchBareProcess(count: number): Promise<void> {
  const child = fork(typesetter, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ask = (index: number): Promise<Delivery> =>
    new Promise((resolve) => {
      child.once('message', (delivery: Delivery) => resolve(delivery))
      child.send({ id: index, document: documentOf(index) } satisfies Order)
    })
  const first = await ask(0)
  let memoryBytes = first.memoryBytes
  const { seconds } = await timed(async () => {
    for (let index = 0; index < count; index += 1) memoryBytes = (await ask(index)).memoryBytes
  })
  child.kill()
  print('one process, never replaced', `${whole(count / seconds)} documents/s`)
  print(
    '  its memory after the first, and after the last',
    `${megabytes(first.memoryBytes)}, ${megabytes(memoryBytes)}`,
  )
}

/** As the service prints: many ask at once. */
async function benchRenderer(count: number, processes: number): Promise<void> {
  const renderer = createPdfRenderer(createLog('warn'), { processes })
  const askersAtOnce = 16
  let next = 0
  let memoryMax = 0
  const askUntilDone = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await renderer.render(documentOf(next))
      if (next % 50 === 0) memoryMax = Math.max(memoryMax, childrenMemoryBytes())
    }
  }
  const { seconds } = await timed(() => Promise.all(Array.from({ length: askersAtOnce }, askUntilDone)))
  print(`the renderer, ${processes} at once`, `${whole(count / seconds)} documents/s`)
  print('  most memory of its processes together', megabytes(memoryMax))
  await renderer.close()
  print('  memory of this process at the end', megabytes(process.memoryUsage.rss()))
}

const megabytes = (bytes: number): string => `${whole(bytes / 1024 / 1024)} MB`

/** Linux tells; elsewhere 0. */
function childrenMemoryBytes(): number {
  try {
    const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const sizes = pids.map((pid) => /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return sizes.reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) * 1024, 0)
  } catch {
    return 0
  }
}
