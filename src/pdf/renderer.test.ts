/** Holds the renderer to its promise: whatever happens where pages are made, one request is refused and the next one is served. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { until } from '../../test/support/patience.ts'
import { documents } from '../../test/support/printed-documents.ts'
import { Refusal } from '../billing/refusal.ts'
import { createPdfRenderer, type PdfRenderer, type RendererLimits } from './renderer.ts'

const log = pino({ level: 'silent' })
const moody = join(import.meta.dirname, '../../test/support/moody-typesetter.ts')
const document = documents['one-line']!

/** Its typesetter does what the document's number says: `crash`, `hang`, or tells its process id. */
function moodyRenderer(t: TestContext, limits: Partial<RendererLimits> = {}): PdfRenderer {
  const renderer = createPdfRenderer(log, { processes: 1, ...limits }, moody)
  t.after(() => renderer.close())
  return renderer
}

const ask = async (renderer: PdfRenderer, number: string): Promise<string> =>
  (await renderer.render({ ...document, number })).toString()

const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.kind === 'unavailable'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the process that makes pages', () => {
  test('crashes: that document is refused, those that wait are made by another', async (t) => {
    const renderer = moodyRenderer(t)
    const first = await ask(renderer, 'fine')
    const [crashed, waiting] = await Promise.allSettled([ask(renderer, 'crash'), ask(renderer, 'fine')])
    assert.ok(crashed.status === 'rejected' && isUnavailable(crashed.reason))
    assert.ok(waiting.status === 'fulfilled' && waiting.value !== first)
  })

  test('hangs: it is ended when its time is over, and the next document is made', async (t) => {
    const renderer = moodyRenderer(t, { documentMs: 1500 })
    await assert.rejects(ask(renderer, 'hang'), isUnavailable)
    assert.match(await ask(renderer, 'fine'), /^\d+$/)
  })

  test('is replaced after so many documents, and when it has grown', async (t) => {
    const renderer = moodyRenderer(t, { documentsOfOneProcess: 2 })
    const pids = [await ask(renderer, 'a'), await ask(renderer, 'b'), await ask(renderer, 'c')]
    assert.equal(pids[0], pids[1])
    assert.notEqual(pids[1], pids[2])
    const hungry = moodyRenderer(t, { memoryBytes: 1 })
    assert.notEqual(await ask(hungry, 'a'), await ask(hungry, 'b'))
  })

  test('says why a document cannot be set: that is a bug and no refusal', async (t) => {
    await assert.rejects(ask(moodyRenderer(t), 'problem'), /could not be set: as asked/)
  })

  test('ends when it has nothing to do, and when the renderer is closed', async (t) => {
    const idle = moodyRenderer(t, { idleMs: 20 })
    const pid = Number(await ask(idle, 'fine'))
    await until('the end of an idle process', () => !isAlive(pid), { everyMs: 20 })
    const closed = moodyRenderer(t)
    const other = Number(await ask(closed, 'fine'))
    await closed.close()
    assert.ok(!isAlive(other))
    await assert.rejects(ask(closed, 'fine'), isUnavailable)
  })

  test('knows nothing of the environment, where secrets are', async (t) => {
    assert.equal(await ask(moodyRenderer(t), 'environment'), '')
  })

  test('is asked no more than a bounded queue holds', async (t) => {
    const renderer = moodyRenderer(t, { waiting: 2 })
    const asked = await Promise.allSettled(['a', 'b', 'c', 'd'].map((number) => ask(renderer, number)))
    assert.deepEqual(
      asked.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
  })
})

test('the same document gives the same bytes, whatever was made before and in whichever process', async (t) => {
  const digest = (pdf: Buffer): string => createHash('sha256').update(pdf).digest('hex')
  const renderers = [createPdfRenderer(log, { processes: 1 }), createPdfRenderer(log, { processes: 1 })]
  t.after(() => Promise.all(renderers.map((renderer) => renderer.close())))
  const [one, other] = renderers as [PdfRenderer, PdfRenderer]
  const paid = documents.paid!
  const first = digest(await one.render(paid))
  await other.render(documents['long-names']!)
  await other.render(documents.cjk!)
  assert.equal(digest(await other.render(paid)), first)
  assert.equal(digest(await one.render(paid)), first)
})

test('a logo that is no picture is left out, and the page is made all the same', async (t) => {
  const renderer = createPdfRenderer(log, { processes: 1 })
  t.after(() => renderer.close())
  const logo = { type: 'png', bytes: Buffer.from('no picture') } as const
  const pdf = await renderer.render({ ...document, seller: { ...document.seller, logo } })
  assert.equal(pdf.subarray(0, 8).toString(), '%PDF-1.7')
})
