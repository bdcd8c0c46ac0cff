/** The customer's own address, telephone and VAT number. */
import { html } from 'hono/html'
import { updateCustomer } from '../../actions/update-customer.ts'
import { type Customer, type CustomerDetails, fullName } from '../../billing/customer.ts'
import { Refusal } from '../../billing/refusal.ts'
import { object, onlySent, readInput, text } from '../../wire/input.ts'
import type { Form, Page } from '../../wire/page.ts'
import { countryOptions } from '../countries.ts'
import { attempt, choice, field } from '../forms.ts'
import { redirect, show, type Visit } from '../visit.ts'
import type { Markup } from '../words.ts'
import { noticeFrom, withNotice } from './notices.ts'

const detailsInput = object({
  organization: text('Organization'),
  address: text('Address'),
  address_2: text('Address, second line'),
  city: text('City'),
  state: text('State or province'),
  zip: text('Postal code'),
  country: text('Country'),
  phone: text('Telephone'),
  vat_number: text('VAT number'),
})
type Name = keyof typeof detailsInput.shape

/** Only what was sent is changed; blank clears. Throws `InputErrors`. */
function readDetails(form: Form): Partial<CustomerDetails> {
  const fields = readInput(detailsInput, Object.fromEntries(form))
  const blankAsNull = (value: string | null | undefined) => (value === undefined ? undefined : value?.trim() || null)
  const details = {
    organization: blankAsNull(fields.organization),
    address: blankAsNull(fields.address),
    address2: blankAsNull(fields.address_2),
    city: blankAsNull(fields.city),
    state: blankAsNull(fields.state),
    zip: blankAsNull(fields.zip),
    country: blankAsNull(fields.country),
    phone: blankAsNull(fields.phone),
    vatNumber: blankAsNull(fields.vat_number),
  }
  return onlySent(details)
}

const onRecord = (customer: Customer): Record<Name, string | null> => ({
  organization: customer.organization,
  address: customer.address,
  address_2: customer.address2,
  city: customer.city,
  state: customer.state,
  zip: customer.zip,
  country: customer.country,
  phone: customer.phone,
  vat_number: customer.vatNumber,
})

const form = (value: (name: Name) => string): Markup => {
  const line = (name: Name, label: string, autocomplete: string) =>
    field({ name, label, value: value(name), autocomplete })
  return html`<form class="panel" method="post" action="/account/details">
      ${line('organization', 'Organization', 'organization')}
      ${line('address', 'Address', 'address-line1')}
      ${line('address_2', 'Address, second line', 'address-line2')}
      <div class="row">
        ${line('city', 'City', 'address-level2')}
        ${line('state', 'State or province', 'address-level1')}
      </div>
      <div class="row">
        ${line('zip', 'Postal code', 'postal-code')}
        ${choice({ name: 'country', label: 'Country', value: value('country'), options: countryOptions(value('country')), autocomplete: 'country' })}
      </div>
      <div class="row">
        ${field({ name: 'phone', label: 'Telephone', value: value('phone'), autocomplete: 'tel', inputmode: 'tel' })}
        ${line('vat_number', 'VAT number', 'off')}
      </div>
      <p class="actions"><button type="submit">Save</button></p>
    </form>`
}

const listed = (customer: Customer): Markup => html`<dl class="panel">
      ${[
        ['Organization', customer.organization],
        [
          'Address',
          [customer.address, customer.address2, customer.city, customer.state, customer.zip, customer.country]
            .filter((part) => part !== null && part !== '')
            .join(', '),
        ],
        ['Telephone', customer.phone],
        ['VAT number', customer.vatNumber],
      ]
        .filter(([, value]) => value)
        .map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
    </dl>`

const showDetails = (visit: Visit, problems: readonly string[] = []): Promise<Page> => {
  const { customer, settings, request } = visit
  const recorded = onRecord(customer)
  return show(visit, {
    title: 'Your details',
    place: '/account/details',
    notice: noticeFrom(request),
    problems,
    content: html`<h1>Your details</h1>
    <p class="lead">${fullName(customer)}, ${customer.email}</p>
    ${settings.mayEditAddress ? form((name) => request.form.get(name) ?? recorded[name] ?? '') : listed(customer)}`,
  })
}

export const detailsPage = (visit: Visit): Promise<Page> => showDetails(visit)

export async function saveDetails(visit: Visit): Promise<Page> {
  const { app, site, customer, settings, request } = visit
  if (!settings.mayEditAddress) throw new Refusal('conflict')
  return attempt(
    async () => {
      await updateCustomer(app, site.id, customer.id, readDetails(request.form))
      return redirect(withNotice('/account/details', 'details-saved'))
    },
    (problems) => showDetails(visit, problems),
  )
}
