/** Pages in a process of their own: what crashes, hangs or leaks there costs one request, and never the service. */

import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../billing/refusal.ts'
import type { Log } from '../host/log.ts'
import type { PrintedDocument } from './document.ts'
import type { Delivery, Order } from './typesetter.ts'

export type PdfRenderer = {
  /**
   * The same document gives the same bytes. Throws a Refusal `unavailable` when the process that makes the pages crashed, took
   * too long or has too much to do.
   */
  render(document: PrintedDocument): Promise<Buffer>
  /** Ends the processes; what waits is refused. */
  close(): Promise<void>
}

export type RendererLimits = {
  /** A process is replaced after so many: the compiler in it does not give back all of its memory. */
  documentsOfOneProcess: number
  memoryBytes: number
  documentMs: number
  waiting: number
  processes: number
  /** A process with nothing to do ends, so that a service that prints nothing keeps no compiler. */
  idleMs: number
}

const usual: RendererLimits = {
  documentsOfOneProcess: 300,
  memoryBytes: 600 * 1024 * 1024,
  documentMs: 15_000,
  waiting: 200,
  processes: Math.max(1, Math.min(2, availableParallelism() - 1)),
  idleMs: 60_000,
}

/** Starts no process before the first document. `typesetter` is the module that the processes run. */
export const createPdfRenderer = (
  log: Log,
  limits: Partial<RendererLimits> = {},
  typesetter: string = join(import.meta.dirname, 'typesetter.ts'),
): PdfRenderer => new Renderer(log, { ...usual, ...limits }, typesetter)

type Job = { document: PrintedDocument; resolve(pdf: Buffer): void; reject(error: unknown): void }
type Press = { child: ChildProcess; job: Job | undefined; done: number; timer: NodeJS.Timeout | undefined }

const unavailable = (): Refusal =>
  new Refusal('unavailable', ['The PDF could not be made just now. Please try again in a moment.'])

class Renderer implements PdfRenderer {
  readonly #log: Log
  readonly #limits: RendererLimits
  readonly #typesetter: string
  readonly #presses = new Set<Press>()
  readonly #waiting: Job[] = []
  #isClosed = false

  constructor(log: Log, limits: RendererLimits, typesetter: string) {
    this.#log = log
    this.#limits = limits
    this.#typesetter = typesetter
  }

  render(document: PrintedDocument): Promise<Buffer> {
    if (this.#isClosed || this.#waiting.length >= this.#limits.waiting) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ document, resolve, reject })
      this.#hand()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable())
    const ends = [...this.#presses].map(({ child }) => {
      child.ref()
      return new Promise((resolve) => child.once('exit', resolve))
    })
    for (const press of this.#presses) this.#end(press)
    await Promise.all(ends)
  }

  /** Gives waiting documents to processes that have nothing to do. */
  #hand(): void {
    while (this.#waiting.length > 0) {
      const free = [...this.#presses].find((press) => press.job === undefined)
      const press = free ?? (this.#presses.size < this.#limits.processes ? this.#start() : undefined)
      if (press === undefined) return
      this.#print(press, this.#waiting.shift()!)
    }
  }

  #print(press: Press, job: Job): void {
    clearTimeout(press.timer)
    press.job = job
    press.child.ref()
    press.child.channel?.ref()
    press.timer = setTimeout(() => {
      this.#log.error({ process: press.child.pid }, 'a PDF took too long; its process is ended')
      press.child.kill('SIGKILL')
    }, this.#limits.documentMs)
    press.child.send({ id: press.done, document: job.document } satisfies Order, (error) => {
      if (error) press.child.kill('SIGKILL')
    })
  }

  #start(): Press {
    // Without the environment: what makes pages needs none of its secrets.
    const child = fork(this.#typesetter, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const press: Press = { child, job: undefined, done: 0, timer: undefined }
    this.#presses.add(press)
    child.on('message', (delivery: Delivery) => this.#receive(press, delivery))
    child.once('error', () => this.#lose(press, 'could not be started'))
    child.once('exit', (code, signal) => this.#lose(press, signal ?? `exit ${code}`))
    return press
  }

  #receive(press: Press, delivery: Delivery): void {
    const { job } = press
    if (job === undefined || delivery.id !== press.done) return
    clearTimeout(press.timer)
    press.job = undefined
    press.done += 1
    if ('pdf' in delivery) job.resolve(Buffer.from(delivery.pdf.buffer, delivery.pdf.byteOffset, delivery.pdf.length))
    else job.reject(new Error(`a document could not be set: ${delivery.problem}`))
    const isWorn = press.done >= this.#limits.documentsOfOneProcess || delivery.memoryBytes > this.#limits.memoryBytes
    if (isWorn) this.#end(press)
    else this.#rest(press)
    this.#hand()
  }

  /** A process that waits for work does not keep the service alive. */
  #rest(press: Press): void {
    press.child.unref()
    press.child.channel?.unref()
    press.timer = setTimeout(() => this.#end(press), this.#limits.idleMs).unref()
  }

  #end(press: Press): void {
    this.#presses.delete(press)
    clearTimeout(press.timer)
    press.child.kill('SIGKILL')
  }

  /** The process is gone: the document that it was at is refused, the others get another process. */
  #lose(press: Press, how: string): void {
    clearTimeout(press.timer)
    this.#presses.delete(press)
    const { job } = press
    press.job = undefined
    if (job !== undefined) {
      this.#log.error({ process: press.child.pid, how }, 'the process that makes PDFs was lost')
      job.reject(unavailable())
    }
    if (!this.#isClosed) this.#hand()
  }
}
