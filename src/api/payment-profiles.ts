/** Stored cards and bank accounts: create, list, read, change, delete; and which of them pays a subscription. */
import { changePaymentProfile } from '../actions/change-payment-profile.ts'
import { createPaymentProfile } from '../actions/create-payment-profile.ts'
import { deletePaymentProfile } from '../actions/delete-payment-profile.ts'
import { removePaymentProfile } from '../actions/remove-payment-profile.ts'
import { updatePaymentProfile } from '../actions/update-payment-profile.ts'
import { verifyBankAccount } from '../actions/verify-bank-account.ts'
import type { Cents } from '../billing/money.ts'
import { notFound } from '../billing/refusal.ts'
import { findCustomer } from '../store/customers.ts'
import { findPaymentProfile, listPaymentProfiles } from '../store/payment-profiles.ts'
import { paymentProfileShape, presentPaymentProfile } from '../views/payment-profile.ts'
import { type Answer, empty, list, resource } from '../wire/answer.ts'
import { cents, idNumber, object, readInput, wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, shows, textFrom } from './handler.ts'
import { readPaymentProfile, readProfileChange } from './payment-profile-input.ts'
import { Problems } from './problems.ts'

const pageSizes = { perPageDefault: 30, perPageMax: 200 }

export const cardOwnerInput = object({ customer_id: idNumber('Customer', { required: true }) })

const show =
  (status: number): Show =>
  async (connection, site, id) => {
    const profile = await findPaymentProfile(connection, site.id, id)
    const headers = status === 201 ? { Location: `/payment_profiles/${id}` } : undefined
    return (
      profile &&
      resource(status, 'payment_profile', presentPaymentProfile(profile, site.timeZone), paymentProfileShape, headers)
    )
  }

/** The customer's names stand on a card or account that says none. */
const create: Act = async (app, { context: { site }, body }) => {
  const tree = wrapped(body, 'payment_profile')
  const problems = new Problems()
  const customerId = problems.gather(() => readInput(cardOwnerInput, tree).customer_id)
  const customer = customerId === undefined ? undefined : await findCustomer(app.db, site.id, customerId)
  if (customerId !== undefined && customer === undefined) problems.add('Customer: could not be found.')
  const profile = problems.gather(() => readPaymentProfile(tree, customer ?? { firstName: '', lastName: '' }))
  problems.tell()
  return createPaymentProfile(app, site.id, customer!.id, profile!)
}

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const page = readPage(query, pageSizes)
  const customer = textFrom(query, 'customer_id')
  // What is no id is nobody's, and nobody has profiles.
  const customerId = customer === undefined ? null : /^\d{1,15}$/.test(customer) ? Number(customer) : 0
  const profiles = await listPaymentProfiles(app.db, site.id, { ...page, customerId })
  const shown = profiles.map((profile) => presentPaymentProfile(profile, site.timeZone))
  return list('payment_profiles', 'payment_profile', shown, paymentProfileShape)
}

const update: Act = async (app, request) => {
  const { site } = request.context
  const id = idFrom(request, 'payment_profile_id')
  const present = await findPaymentProfile(app.db, site.id, id)
  if (present === undefined) throw notFound()
  const change = readProfileChange(wrappedChange(request.body, 'payment_profile', 'Payment profile'), present)
  return updatePaymentProfile(app, site.id, id, change)
}

const remove: Act = (app, request) =>
  deletePaymentProfile(app, request.context.site.id, idFrom(request, 'payment_profile_id'))

const ofSubscription =
  (act: typeof removePaymentProfile): Act =>
  (app, request) =>
    act(app, request.context.site.id, idFrom(request, 'subscription_id'), idFrom(request, 'payment_profile_id'))

const deposit = (label: string) => cents(label, { required: true, min: 1, max: 99 })

export const verificationInput = object({
  deposit_1_in_cents: deposit('Deposit 1'),
  deposit_2_in_cents: deposit('Deposit 2'),
})

const verify: Act = (app, request) => {
  const id = idFrom(request, 'bank_account_id')
  const told = readInput(verificationInput, wrapped(request.body, 'bank_account_verification'))
  const deposits = [told.deposit_1_in_cents as Cents, told.deposit_2_in_cents as Cents] as const
  return verifyBankAccount(app, request.context.site.id, id, deposits)
}

const gone = async (): Promise<Answer> => empty(204)

const one = '/payment_profiles/:payment_profile_id'

export const paymentProfileRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/payment_profiles', handler: listPage },
  { method: 'POST', path: '/payment_profiles', handler: acts(create, show(201)) },
  { method: 'GET', path: one, handler: shows('payment_profile_id', show(200)) },
  { method: 'PUT', path: one, handler: acts(update, show(200)) },
  { method: 'DELETE', path: one, handler: acts(remove, gone) },
  { method: 'PUT', path: '/bank_accounts/:bank_account_id/verification', handler: acts(verify, show(200)) },
  {
    method: 'DELETE',
    path: `/subscriptions/:subscription_id${one}`,
    handler: acts(ofSubscription(removePaymentProfile), gone),
  },
  {
    method: 'POST',
    path: `/subscriptions/:subscription_id${one}/change_payment_profile`,
    handler: acts(ofSubscription(changePaymentProfile), show(201)),
  },
]
