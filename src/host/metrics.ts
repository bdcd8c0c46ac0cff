/** What this process has done and how things stand, as numbers that Prometheus reads; the only place that knows its library. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Numbers that are true of the whole installation, whichever process is asked. */
export type Standing = {
  /** Endpoints that keep failing and are sent to slowly, the longest failing ones first; their number, and the first of them. */
  failingEndpoints: number
  failingFor: readonly { site: string; endpoint: number; seconds: number }[]
  /** Gateways that fail themselves, the longest failing ones first. */
  gatewaysFailing: readonly { site: string; gateway: string; seconds: number }[]
  /** Webhooks and letters that are still to be accepted or sent; counted up to `countMax`. */
  webhooksWaiting: number
  lettersWaiting: number
  /** Payments whose outcome is not known yet. */
  paymentsUnsettled: number
  /** Those of which only a human can say what became. */
  paymentsUnresolved: number
  subscriptionsParked: number
  /** For how long what is due has been due on live sites: 0 when nothing is. */
  assessmentLagSeconds: number
}

type Answered = { method: string; route: string; status: number; duration_in_ms: number }
type GatewayAsked = { gateway: string; call: string; outcome: string; seconds: number }
/** `accepted`, `refused` by an answer that is not a 200, or `failed` without one. */
type Delivered = { outcome: 'accepted' | 'refused' | 'failed'; seconds: number }
type LetterOver = { kind: string; outcome: 'sent' | 'failed' }

/** Counting never throws and never waits. Nothing is told apart by customer or by site, so that the numbers stay few. */
export type Metrics = {
  answered(seen: Answered): void
  assessed(subscriptions: number): void
  gatewayAsked(seen: GatewayAsked): void
  delivered(seen: Delivered): void
  letterOver(seen: LetterOver): void
  lateApproval(seen: { gateway: string; resolution: 'recorded' | 'given_back' }): void
  roundFailed(worker: string): void
  /** The text that Prometheus reads. `standing` is undefined where it could not be found out. */
  write(standing: Standing | undefined): Promise<{ type: string; text: string }>
}

const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Up to the longest that a gateway or a receiver of webhooks is waited for. */
const outsideSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]

/** `ofProcess` adds memory, event loop and garbage collection, which are watched all the time from then on. */
export function createMetrics({ ofProcess }: { ofProcess: boolean }): Metrics {
  const register = new Registry()
  const registers = [register]
  if (ofProcess) collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'kalends_http_request_duration_seconds',
    help: 'Requests to the API and the portal, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestSeconds,
    registers,
  })
  const assessments = new Counter({
    name: 'kalends_subscriptions_assessed_total',
    help: 'Subscriptions that were assessed because something was due.',
    registers,
  })
  const gatewayCalls = new Histogram({
    name: 'kalends_gateway_call_duration_seconds',
    help: 'Calls to payment gateways, by what was asked and how it went.',
    labelNames: ['gateway', 'call', 'outcome'],
    buckets: outsideSeconds,
    registers,
  })
  const attempts = new Histogram({
    name: 'kalends_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver a webhook: accepted, refused by the receiver, or failed without an answer.',
    labelNames: ['outcome'],
    buckets: outsideSeconds,
    registers,
  })
  const letters = new Counter({
    name: 'kalends_letters_total',
    help: 'Attempts to send a letter, by kind.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const lateApprovals = lateApprovalCounter(registers)
  const rounds = new Counter({
    name: 'kalends_worker_failures_total',
    help: 'Rounds of a worker that ended with an error; each is in the log.',
    labelNames: ['worker'],
    registers,
  })
  const setStanding = standingGauges(registers)
  return {
    answered: ({ method, route, status, duration_in_ms }) =>
      requests.observe({ method, route: route || 'none', status: String(status) }, duration_in_ms / 1000),
    assessed: (subscriptions) => assessments.inc(subscriptions),
    gatewayAsked: ({ seconds, ...labels }) => gatewayCalls.observe(labels, seconds),
    delivered: ({ outcome, seconds }) => attempts.observe({ outcome }, seconds),
    letterOver: (labels) => letters.inc(labels),
    lateApproval: (labels) => lateApprovals.inc(labels),
    roundFailed: (worker) => rounds.inc({ worker }),
    write: async (standing) => {
      setStanding(standing)
      return { type: register.contentType, text: await register.metrics() }
    },
  }
}

const lateApprovalCounter = (registers: Registry[]) =>
  new Counter({
    name: 'kalends_late_approvals_total',
    help: 'Payments that a gateway approved after they had been given up: recorded as paid, or given back.',
    labelNames: ['gateway', 'resolution'],
    registers,
  })

/** Where things cannot be found out no number is shown: an old one would look like a true one. */
function standingGauges(registers: Registry[]): (standing: Standing | undefined) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `kalends_${name}`, help, labelNames, registers })
  const simple = {
    failingEndpoints: gauge('webhook_endpoints_failing', 'Endpoints that keep failing and are sent to slowly.'),
    webhooksWaiting: gauge('webhooks_waiting', 'Webhooks that are still to be accepted.'),
    lettersWaiting: gauge('letters_waiting', 'Letters that are still to be sent.'),
    paymentsUnsettled: gauge('payments_unsettled', 'Payments whose outcome is not known yet.'),
    paymentsUnresolved: gauge('payments_unresolved', 'Payments of which only a human can say what became of them.'),
    subscriptionsParked: gauge(
      'subscriptions_parked',
      'Subscriptions that could not be assessed and wait for an operator.',
    ),
    assessmentLagSeconds: gauge('assessment_lag_seconds', 'For how long the oldest due work of a live site is due.'),
  }
  const failingFor = gauge('webhook_endpoint_failing_seconds', 'For how long an endpoint has been failing.', [
    'site',
    'endpoint',
  ])
  const gatewaysFailing = gauge('gateway_failing_seconds', 'For how long a gateway has been failing itself.', [
    'site',
    'gateway',
  ])
  return (standing) => {
    gatewaysFailing.reset()
    for (const { seconds, ...labels } of standing?.gatewaysFailing ?? []) gatewaysFailing.set(labels, seconds)
    failingFor.reset()
    for (const { site, endpoint, seconds } of standing?.failingFor ?? []) failingFor.set({ site, endpoint }, seconds)
    for (const [name, one] of Object.entries(simple)) {
      one.remove()
      if (standing !== undefined) one.set(standing[name as keyof typeof simple])
    }
  }
}
