/** Changing the product: choose, see what it costs, confirm; now with proration, or at the next renewal. */
import { html } from 'hono/html'
import { limitRate } from '../../actions/limit-rate.ts'
import { migrateSubscription } from '../../actions/migrate-subscription.ts'
import { type MigrateSubscription, previewMigration } from '../../actions/preview-migration.ts'
import { previewProductChange } from '../../actions/preview-product-change.ts'
import { updateSubscription } from '../../actions/update-subscription.ts'
import { listProducts, type ProductInFamily } from '../../store/catalog.ts'
import type { Page } from '../../wire/page.ts'
import { attempt, radios } from '../forms.ts'
import { findOwnFor, type OwnSubscription } from '../own-subscription.ts'
import { redirect, show, type Visit } from '../visit.ts'
import { everyInterval, type Markup } from '../words.ts'
import { cardAttempts } from './card.ts'
import { withNotice } from './notices.ts'

const productsMax = 100

/** What else the site sells in the same family. */
async function listOthers({ app, site }: Visit, { product, family }: OwnSubscription): Promise<ProductInFamily[]> {
  const part = { perPage: productsMax, offset: 0, familyId: family.id, includeArchived: false }
  return (await listProducts(app.db, site.id, part)).filter((one) => one.product.id !== product.id)
}

const migrationTo = (id: number): MigrateSubscription => ({
  product: { id },
  includeTrial: false,
  includeInitialCharge: false,
  includeCoupons: true,
  preservePeriod: false,
})

/** What the change comes to, by the very decision that will carry it out. */
async function consequence(visit: Visit, own: OwnSubscription, productId: number): Promise<Markup> {
  const { app, site, settings, words } = visit
  const { id } = own.subscription
  if (settings.productChange === 'at_renewal') {
    const { nextAssessmentAt, assessment } = await previewProductChange(app, site.id, id, productId)
    return html`<p>Nothing is charged now. From ${words.day(nextAssessmentAt)} on you pay <strong>${words.money(assessment.total)}</strong>.</p>`
  }
  const figures = await previewMigration(app, site.id, id, migrationTo(productId))
  if (figures === undefined) return html``
  return html`<dl>
      <div><dt>New period</dt><dd>${words.money(figures.charge)}</dd></div>
      ${figures.prorated === 0 ? '' : html`<div><dt>For the rest of the old one</dt><dd>${words.money(figures.prorated)}</dd></div>`}
      <div><dt>Due now</dt><dd><strong>${words.money(figures.paymentDue)}</strong></dd></div>
    </dl>`
}

const chosenFrom = (text: unknown, others: readonly ProductInFamily[]): ProductInFamily | undefined =>
  others.find(({ product }) => String(product.id) === text)

const confirmation = async (
  visit: Visit,
  own: OwnSubscription,
  { product }: ProductInFamily,
): Promise<Markup> => html`<section class="panel" aria-labelledby="confirm">
      <h2 id="confirm">Change to ${product.name}</h2>
      ${await consequence(visit, own, product.id)}
      <form class="actions" method="post" action="${own.path}/product">
        <input type="hidden" name="product" value="${product.id}">
        <button type="submit">Change to ${product.name}</button>
        <a class="button secondary" href="${own.path}">Keep ${own.product.name}</a>
      </form>
    </section>`

const pending = (own: OwnSubscription, others: readonly ProductInFamily[]): Markup => {
  const next = others.find(({ product }) => product.id === own.subscription.nextProductId)
  if (next === undefined) return html``
  return html`<div class="notice warning">
      <p><strong>At the next renewal this changes to ${next.product.name}.</strong></p>
      <form class="actions" method="post" action="${own.path}/product">
        <input type="hidden" name="product" value="none"><button type="submit">Keep ${own.product.name}</button>
      </form>
    </div>`
}

async function showForm(visit: Visit, own: OwnSubscription, problems: readonly string[] = []): Promise<Page> {
  const { words, request } = visit
  const { path, product, subscription } = own
  const others = await listOthers(visit, own)
  const chosen = problems.length > 0 ? undefined : chosenFrom(request.query.to, others)
  const options = others
    .filter((one) => one.product.id !== subscription.nextProductId)
    .map((one) => ({
      value: String(one.product.id),
      label: html`${one.product.name}, ${words.money(one.product.price)} ${everyInterval(one.product.interval)}`,
      ...(one.product.description ? { hint: one.product.description } : {}),
    }))
  const step = chosen && (await confirmation(visit, own, chosen))
  return show(visit, {
    title: 'Change product',
    place: '/account',
    problems,
    content: html`<p class="back"><a href="${path}">${product.name}</a></p>
    <h1>Change product</h1>
    <p class="lead">Now: ${product.name}, ${words.money(own.productPrice)} ${everyInterval(product.interval)}.</p>
    ${pending(own, others)}
    ${step ?? ''}
    ${
      options.length === 0
        ? html`<p class="panel">There is nothing else to choose from.</p>`
        : html`<form class="panel" method="get" action="${path}/product">
      ${radios({ name: 'to', legend: 'What would you like instead?', value: chosen && String(chosen.product.id), options })}
      <p class="actions"><button${step ? html` class="secondary"` : ''} type="submit">See what it costs</button></p>
    </form>`
    }`,
  })
}

export async function productPage(visit: Visit): Promise<Page> {
  const own = await findOwnFor(visit, 'change_product')
  return attempt(
    () => showForm(visit, own),
    (problems) => showForm(visit, own, problems),
  )
}

const keepEverything = { customer: {}, card: null }

export async function changeProduct(visit: Visit): Promise<Page> {
  const { app, site, settings, customer, request } = visit
  const own = await findOwnFor(visit, 'change_product')
  const { id } = own.subscription
  const again = (problems: readonly string[]) => showForm(visit, own, problems)
  const sent = request.form.get('product')
  const chosen = chosenFrom(sent, await listOthers(visit, own))
  if (chosen === undefined && sent !== 'none') return again(['Please choose one of the products.'])
  const nextProductId = chosen?.product.id ?? null
  return attempt(async () => {
    if (settings.productChange === 'now' && nextProductId !== null) {
      await limitRate(app, site.id, cardAttempts, String(customer.id))
      await migrateSubscription(app, site.id, id, migrationTo(nextProductId))
      return redirect(withNotice(own.path, 'product-changed'))
    }
    const products = { product: null, isDelayed: false, nextProductId }
    await updateSubscription(app, site.id, id, { ...keepEverything, products })
    return redirect(withNotice(own.path, nextProductId === null ? 'product-kept' : 'product-scheduled'))
  }, again)
}
