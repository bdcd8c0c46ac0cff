/** The test gateway's own record: what it was asked and what it answered, on connections of its own, many calls to a write. */
import pg from 'pg'

export type CallKind = 'store' | 'verify' | 'purchase' | 'refund' | 'void'

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

const defaultBehaviour: Behaviour = { latencyInMs: 0, declineRate: 0, errorRate: 0, loseAnswerRate: 0 }

type Waiting = {
  call: Call
  at: Temporal.Instant
  done: (recorded: RecordedCall) => void
  failed: (error: unknown) => void
}

const writeMax = 1000
/** A process that stands still within a refund holds the list of calls no longer than that. */
const idleInTransactionMsMax = 60_000

export class BogusRecord {
  readonly #pool: pg.Pool
  #waiting: Waiting[] = []
  #writing = false

  constructor(connection: pg.PoolConfig) {
    this.#pool = new pg.Pool({ ...connection, max: 4, idle_in_transaction_session_timeout: idleInTransactionMsMax })
    this.#pool.on('error', () => {})
    // A connection that breaks while it is in use fails its statement; without a listener it would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
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
    const calls = batch.map(({ call, at }) => ({ ...call, calledAt: Math.floor(at.epochMilliseconds / 1000) }))
    const { rows: kept } = await this.#pool.query({
      name: 'keep-calls',
      text: `with mark as materialized (${markText}) insert into bogus_gateway.calls
          (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message, subscription_id, created_at)
        select c."siteId", c."idempotencyKey", c.kind, c."amountInCents", c."vaultToken", c.outcome, c.message, c."subscriptionId",
          to_timestamp(c."calledAt")
        from mark, json_to_recordset($1) as c ("siteId" bigint, "idempotencyKey" text, kind text, "amountInCents" bigint,
          "vaultToken" text, outcome text, message text, "subscriptionId" bigint, "calledAt" bigint)
        on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing
        returning id::float8 as id, site_id::float8 as "siteId", kind, idempotency_key as "idempotencyKey"`,
      values: [JSON.stringify(calls)],
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

  /** A purchase that was approved, by the name that the gateway gave it. */
  async findPurchase(siteId: number, transactionId: string): Promise<RecordedCall | undefined> {
    if (!/^\d{1,15}$/.test(transactionId)) return undefined
    const { rows } = await this.#pool.query({
      name: 'find-purchase',
      text: `select ${callList} from bogus_gateway.calls
        where site_id = $1 and id = $2 and kind = 'purchase' and outcome = 'approved'`,
      values: [siteId, transactionId],
    })
    return rows[0]
  }

  /**
   * Keeps a refund, as declined when its purchase has less left than it asks for, or gives the one that was answered under its key
   * before. The purchase is locked meanwhile, so that refunds of it come one after the other.
   */
  async keepRefund(call: Call, purchase: RecordedCall, at: Temporal.Instant): Promise<RecordedCall> {
    const client = await this.#pool.connect()
    try {
      await client.query('begin')
      await client.query(`select from bogus_gateway.calls where site_id = $1 and id = $2 for update`, [
        call.siteId,
        purchase.id,
      ])
      await client.query(markText)
      const { rows } = await client.query(keepRefundText, [
        call.siteId,
        call.idempotencyKey,
        call.amountInCents,
        call.vaultToken,
        call.message,
        call.subscriptionId,
        at.toString(),
        purchase.id,
        purchase.idempotencyKey,
        purchase.amountInCents,
      ])
      await client.query('commit')
      client.release()
      return rows[0] ?? (await this.find(call))
    } catch (error) {
      client.release(true)
      throw error
    }
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

  /** In the order of their ids, from `sinceId` on; those that another process may still come before are held back. */
  async list(
    siteId: number,
    { sinceId, perPage, offset }: { sinceId: number; perPage: number; offset: number },
  ): Promise<ListedCall[]> {
    const [settled] = (await this.#pool.query({ name: 'settled-id', text: settledText })).rows
    const { rows } = await this.#pool.query({
      name: 'list-calls',
      text: `select ${callList}, floor(extract(epoch from created_at))::float8 as "createdAt"
        from bogus_gateway.calls where site_id = $1 and id between $2 and $5 order by id limit $3 offset $4`,
      values: [siteId, sinceId, perPage, offset, settled.id],
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

/** A shared lock that says which ids an open transaction may still fill: its class, and the lower half of the next id. */
const writersLock = 0x6b640000
const nextId = 'last_value + is_called::int'
const markText = `select pg_advisory_xact_lock_shared(${writersLock}, (((${nextId}) << 32) >> 32)::int) from bogus_gateway.calls_id_seq`

/** The sequence is read before the locks, and both before the calls: whoever drew an id by then held a lock already. */
const settledText = `
  with s as materialized (select ${nextId} as next from bogus_gateway.calls_id_seq)
  select (s.next - 1 - (
    select coalesce(max(w.behind), 0) from (
      select (s.next - l.objid::bigint) & 4294967295 as behind from pg_locks l
      where l.locktype = 'advisory' and l.classid = ${writersLock}::oid and l.objsubid = 2
        and l.database = (select d.oid from pg_database d where d.datname = current_database())) w
    where w.behind < 2147483648))::float8 as id
  from s`

const keepRefundText = `
  insert into bogus_gateway.calls
    (site_id, idempotency_key, kind, amount_in_cents, vault_token, outcome, message, subscription_id, created_at, purchase_id)
  select $1::bigint, $2, 'refund', $3::bigint, $4, case when g.fits then 'approved' else 'declined' end,
    case when g.fits then $5 else 'Bogus Gateway: more than what is left of the purchase' end, $6::bigint, $7::timestamptz, $8::bigint
  from (
    select coalesce(sum(c.amount_in_cents), 0) + $3::bigint <= $10::bigint as fits from bogus_gateway.calls c
    where c.site_id = $1::bigint and c.outcome = 'approved'
      and (c.purchase_id = $8::bigint or (c.kind = 'void' and c.idempotency_key = $9))) g
  on conflict (site_id, kind, idempotency_key) where outcome <> 'error' do nothing
  returning ${callList}`

const nameOf = (call: Pick<Call, 'siteId' | 'kind' | 'idempotencyKey'>): string =>
  `${call.siteId} ${call.kind} ${call.idempotencyKey}`
