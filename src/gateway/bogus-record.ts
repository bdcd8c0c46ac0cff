/** The test gateway's own record: what it was asked and what it answered, on connections of its own, many calls to a write. */
import pg from 'pg'

export type CallKind = 'store' | 'purchase' | 'refund' | 'void'

export type Call = {
  siteId: number
  idempotencyKey: string
  kind: CallKind
  amountInCents: number
  vaultToken: string | null
  outcome: 'approved' | 'declined' | 'error'
  message: string
  subscriptionId: number | null
}

export type RecordedCall = Call & { id: number }

/** A call as the record lists it. */
export type ListedCall = RecordedCall & { createdAt: Temporal.Instant }

export type Behaviour = { latencyInMs: number; declineRate: number; errorRate: number; loseAnswerRate: number }

export const defaultBehaviour: Behaviour = { latencyInMs: 0, declineRate: 0, errorRate: 0, loseAnswerRate: 0 }

type Waiting = {
  call: Call
  at: Temporal.Instant
  done: (recorded: RecordedCall) => void
  failed: (error: unknown) => void
}

const writeMax = 1000

export class BogusRecord {
  readonly #pool: pg.Pool
  #waiting: Waiting[] = []
  #writing = false

  constructor(connection: pg.PoolConfig) {
    this.#pool = new pg.Pool({ ...connection, max: 4 })
    this.#pool.on('error', () => {})
  }

  /** Keeps a call, or gives the one that was answered under its key before. It is on disk when this returns. */
  keep(call: Call, at: Temporal.Instant): Promise<RecordedCall> {
    return new Promise((done, failed) => {
      this.#waiting.push({ call, at, done, failed })
      if (!this.#writing) void this.#writeAll()
    })
  }

  /** One write at a time: calls that arrive meanwhile go into the next one together. */
  async #writeAll(): Promise<void> {
    this.#writing = true
    // Calls made in the same turn of the event loop share the first write too.
    await new Promise((next) => setImmediate(next))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, writeMax)
      try {
        await this.#write(batch)
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#writing = false
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const calls = batch.map(({ call }) => call)
    const { rows: kept } = await this.#pool.query({
      name: 'keep-calls',
      text: `insert into bogus_gateway.calls
          (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message, subscription_id, created_at)
        select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::timestamptz[])
        on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing
        returning id::float8 as id, site_id::float8 as "siteId", kind, idempotency_key as "idempotencyKey"`,
      values: [
        calls.map((call) => call.siteId),
        calls.map((call) => call.idempotencyKey),
        calls.map((call) => call.kind),
        calls.map((call) => call.amountInCents),
        calls.map((call) => call.vaultToken),
        calls.map((call) => call.outcome),
        calls.map((call) => call.message),
        calls.map((call) => call.subscriptionId),
        batch.map(({ at }) => at.toString()),
      ],
    })
    const keptIds = new Map(kept.map((row) => [nameOf(row), row.id as number]))
    for (const { call, done, failed } of batch) {
      const id = keptIds.get(nameOf(call))
      keptIds.delete(nameOf(call))
      if (id !== undefined) done({ ...call, id })
      else
        this.find(call).then((earlier) => (earlier ? done(earlier) : failed(new Error('a call was not kept'))), failed)
    }
  }

  /** The call that was answered under a key. */
  async find({
    siteId,
    kind,
    idempotencyKey,
  }: Pick<Call, 'siteId' | 'kind' | 'idempotencyKey'>): Promise<RecordedCall | undefined> {
    const { rows } = await this.#pool.query({
      name: 'find-call',
      text: `select ${callList} from bogus_gateway.calls
        where site_id = $1 and kind = $2 and idempotency_key = $3 and outcome <> 'error'`,
      values: [siteId, kind, idempotencyKey],
    })
    return rows[0]
  }

  async behaviour(siteId: number): Promise<Behaviour> {
    const { rows } = await this.#pool.query({
      name: 'behaviour',
      text: `select latency_in_ms as "latencyInMs", decline_rate as "declineRate", error_rate as "errorRate",
          lose_answer_rate as "loseAnswerRate" from bogus_gateway.behaviours where site_id = $1`,
      values: [siteId],
    })
    return rows[0] ?? defaultBehaviour
  }

  async setBehaviour(
    siteId: number,
    { latencyInMs, declineRate, errorRate, loseAnswerRate }: Behaviour,
  ): Promise<void> {
    await this.#pool.query({
      name: 'set-behaviour',
      text: `insert into bogus_gateway.behaviours (site_id, latency_in_ms, decline_rate, error_rate, lose_answer_rate)
        values ($1, $2, $3, $4, $5)
        on conflict (site_id) do update set latency_in_ms = excluded.latency_in_ms, decline_rate = excluded.decline_rate,
          error_rate = excluded.error_rate, lose_answer_rate = excluded.lose_answer_rate`,
      values: [siteId, latencyInMs, declineRate, errorRate, loseAnswerRate],
    })
  }

  /** In the order in which they were kept, from `sinceId` on. */
  async list(
    siteId: number,
    { sinceId, perPage, offset }: { sinceId: number; perPage: number; offset: number },
  ): Promise<ListedCall[]> {
    const { rows } = await this.#pool.query({
      name: 'list-calls',
      text: `select ${callList}, floor(extract(epoch from created_at))::float8 as "createdAt"
        from bogus_gateway.calls where site_id = $1 and id >= $2 order by id limit $3 offset $4`,
      values: [siteId, sinceId, perPage, offset],
    })
    return rows.map((row) => ({ ...row, createdAt: Temporal.Instant.fromEpochMilliseconds(row.createdAt * 1000) }))
  }

  /** Forgets every call of a site. */
  async clear(siteId: number): Promise<void> {
    await this.#pool.query({
      name: 'clear-calls',
      text: 'delete from bogus_gateway.calls where site_id = $1',
      values: [siteId],
    })
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}

const callList = `id::float8 as id, site_id::float8 as "siteId", kind, idempotency_key as "idempotencyKey",
  amount_in_cents::float8 as "amountInCents", vault_token as "vaultToken", outcome, message, subscription_id::float8 as "subscriptionId"`

const nameOf = (call: Pick<Call, 'siteId' | 'kind' | 'idempotencyKey'>): string =>
  `${call.siteId} ${call.kind} ${call.idempotencyKey}`
