/** What a letter to the merchant says: what happened, what is done about it already, and what is left to do. */
import type { MerchantLetterKind } from '../billing/letter.ts'
import type { MerchantLetter } from '../store/letters.ts'
import type { LetterText } from './letter.ts'

type Written = Omit<LetterText, 'action' | 'closing' | 'facts'>

/** `subdomain` names the site among those of its merchant. */
export function writeMerchantLetter(
  { kind, details, subscriptionId, createdAt }: MerchantLetter,
  subdomain: string,
): LetterText {
  const { url, endpoint_id: endpointId, gateway, message } = details
  const written = writers[kind]({ host: hostOf(String(url)), gateway: String(gateway), message: String(message) })
  return {
    ...written,
    facts: [
      ['Site', subdomain],
      ...(endpointId == null ? [] : [['Endpoint', String(endpointId)] as const]),
      ...(subscriptionId === null ? [] : [['Subscription', String(subscriptionId)] as const]),
      ['Time', createdAt.toString()],
    ],
    action: null,
    closing:
      'This address is the merchant_email of the letter settings, or the support address of the portal settings.',
  }
}

/** What stands behind the host of an address may be meant for few. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'an endpoint'

const writers: Record<MerchantLetterKind, (known: { host: string; gateway: string; message: string }) => Written> = {
  webhook_endpoint_failing: ({ host, message }) => ({
    subject: `Webhooks to ${host} are not accepted`,
    preheader: 'They are kept and tried again for three days.',
    heading: `Webhooks to ${host} are not accepted`,
    paragraphs: [
      `${message}.`,
      'Nothing is lost: each webhook is kept and tried again for three days. As soon as one is accepted, all that wait are sent.',
      'A webhook is accepted by an answer with status 200 within 15 seconds. What was given up meanwhile can be sent again with POST /webhooks/replay.',
    ],
  }),
  webhook_endpoint_recovered: ({ host }) => ({
    subject: `Webhooks to ${host} are accepted again`,
    preheader: 'Those that waited are being sent.',
    heading: `Webhooks to ${host} are accepted again`,
    paragraphs: [
      'Those that waited are being sent now.',
      'If it took longer than three days, some were given up: GET /webhooks lists them with the status failed, and POST /webhooks/replay sends them again.',
    ],
  }),
  late_payment_recorded: ({ message }) => ({
    subject: 'A payment that had been given up was approved late',
    preheader: 'It was still owed, and is on record as paid.',
    heading: 'A payment that had been given up was approved late',
    paragraphs: [
      `${message}.`,
      'The gateway said no, or nothing, when it was asked, and approved the payment afterwards. The debt still stood, so the money pays it; nothing is collected for it again.',
      'Nothing is left to do. If it happens often, tell whoever runs the gateway.',
    ],
  }),
  late_payment_given_back: ({ message }) => ({
    subject: 'A payment that had been given up was approved late and given back',
    preheader: 'Nothing was owed for it any more.',
    heading: 'A payment that had been given up was approved late and given back',
    paragraphs: [
      `${message}.`,
      'The gateway said no, or nothing, when it was asked, and approved the payment afterwards. What it was for had been paid another way or was never done, so the gateway was told to undo it.',
      'Nothing is left to do. The customer may see the payment and its undoing on a bank statement.',
    ],
  }),
  payment_unresolved: ({ message }) => ({
    subject: 'Nobody knows what became of a payment',
    preheader: 'Please look it up at the gateway and say what happened.',
    heading: 'Nobody knows what became of a payment',
    paragraphs: [
      `${message}.`,
      'Until somebody says what happened, nothing more is collected for the subscription, so that nothing is taken twice.',
      'Look the payment up at the gateway. GET /payment_attempts/unresolved lists it with its key; PUT /payment_attempts/<id>/resolution or `kalends payment resolve` says whether it was captured.',
    ],
  }),
  subscription_parked: ({ message }) => ({
    subject: 'A subscription is not billed until somebody looks at it',
    preheader: 'It could not be assessed; all others go on.',
    heading: 'A subscription is not billed until somebody looks at it',
    paragraphs: [
      `${message}.`,
      'Rather than do something wrong, Kalends left it as it was. Every other subscription goes on.',
      'Whoever runs Kalends finds the reason in the log and by `kalends verify`, and sets it going with `kalends resume`. What fell due meanwhile is done then.',
    ],
  }),
  gateway_failing: ({ gateway, message }) => ({
    subject: `Payments through ${gateway} fail`,
    preheader: 'Nobody is charged meanwhile, and customers are not written to.',
    heading: `Payments through ${gateway} fail`,
    paragraphs: [
      `${message}.`,
      'The gateway says that it could not even try, so that nobody was charged. Subscriptions that are due are asked for again every hour, and it counts against no customer: none is written to, and no dunning goes on.',
      'The credentials of the gateway and its own notices of trouble are what to look at. You are told once more as soon as it answers.',
    ],
  }),
  gateway_recovered: ({ gateway }) => ({
    subject: `Payments through ${gateway} go through again`,
    preheader: 'What could not be collected is asked for within the hour.',
    heading: `Payments through ${gateway} go through again`,
    paragraphs: ['The gateway answers again. What could not be collected meanwhile is asked for within the hour.'],
  }),
}
