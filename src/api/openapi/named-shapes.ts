/** The things that answers are made of, under the names that they have in the document. */

import { billStatuses } from '../../billing/bill.ts'
import { billEventTypes } from '../../billing/bill-list.ts'
import { componentKinds, pricingSchemes } from '../../billing/component.ts'
import { invoiceStates } from '../../billing/invoice.ts'
import { transactionTypes } from '../../billing/ledger.ts'
import { letterKinds } from '../../billing/letter.ts'
import { inputTypes, scopeFlags } from '../../billing/metafield.ts'
import { paymentTypes } from '../../billing/payment-profile.ts'
import { collectionMethods, subscriptionStates } from '../../billing/subscription.ts'
import { allocationShape } from '../../views/allocation.ts'
import { allocationPreviewShape } from '../../views/allocation-preview.ts'
import { apiKeyShape, newApiKeyShape } from '../../views/api-key.ts'
import { billShape } from '../../views/bill.ts'
import { billEventShape } from '../../views/bill-event.ts'
import { behaviourShape, callShape } from '../../views/bogus-gateway.ts'
import { componentShape, subscribedComponentShape } from '../../views/component.ts'
import { couponShape, couponUseShape } from '../../views/coupon.ts'
import { customerShape } from '../../views/customer.ts'
import { eventShape } from '../../views/event.ts'
import { invoiceShape } from '../../views/invoice.ts'
import { letterSettingsShape, letterShape } from '../../views/letter-record.ts'
import { metadataShape, metafieldsShape } from '../../views/metadata.ts'
import { migrationPreviewShape } from '../../views/migration.ts'
import { noteShape } from '../../views/note.ts'
import { paymentProfileShape } from '../../views/payment-profile.ts'
import { invitationShape, managementLinkShape, portalSettingsShape } from '../../views/portal.ts'
import { renewalPreviewShape, signupPreviewShape } from '../../views/preview.ts'
import { lineItemShape } from '../../views/preview-line.ts'
import { productShape } from '../../views/product.ts'
import { nestedProductFamilyShape, productFamilyShape } from '../../views/product-family.ts'
import { reasonCodeShape } from '../../views/reason-code.ts'
import { siteShape, testClockShape } from '../../views/site.ts'
import { statementShape } from '../../views/statement.ts'
import { subscriptionShape } from '../../views/subscription.ts'
import { taxShape } from '../../views/tax.ts'
import { transactionShape } from '../../views/transaction.ts'
import { usageShape } from '../../views/usage.ts'
import { endpointSecretsShape, endpointShape, webhookAttemptShape, webhookShape } from '../../views/webhook.ts'
import type { JsonSchema } from '../../wire/input-schema.ts'
import type { Fields, Shape } from '../../wire/shape.ts'
import { fieldsSchema, itemSchema } from './shape-schema.ts'

/** What a shape does not say of its fields: those without a type in XML, and the words that a field may hold. */
type Named = { readonly shape: Fields; readonly also?: { readonly [field: string]: JsonSchema } }

const words = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })
/** Whole ones are integers; others are text, so that no digit is lost. */
const quantity: JsonSchema = { type: ['integer', 'string'] }
const flag: JsonSchema = { type: 'string', enum: ['0', '1'] }

const names: { readonly [name: string]: Named } = {
  Subscription: {
    shape: subscriptionShape,
    also: { state: words(subscriptionStates), payment_collection_method: words(collectionMethods) },
  },
  Customer: { shape: customerShape },
  Product: { shape: productShape },
  ProductFamily: { shape: productFamilyShape },
  ProductFamilyOfProduct: { shape: nestedProductFamilyShape },
  PaymentProfile: { shape: paymentProfileShape, also: { payment_type: words(paymentTypes) } },
  Component: { shape: componentShape, also: { kind: words(componentKinds) } },
  SubscribedComponent: {
    shape: subscribedComponentShape,
    also: {
      kind: words(componentKinds),
      pricing_scheme: { type: ['string', 'null'], enum: [...pricingSchemes, null] },
      allocated_quantity: quantity,
      unit_balance: { type: 'number' },
    },
  },
  Allocation: { shape: allocationShape, also: { quantity, previous_quantity: quantity } },
  AllocationPreview: { shape: allocationPreviewShape },
  Usage: { shape: usageShape, also: { quantity } },
  Coupon: { shape: couponShape },
  CouponUse: { shape: couponUseShape },
  Tax: { shape: taxShape },
  Transaction: { shape: transactionShape, also: { transaction_type: words(transactionTypes) } },
  Statement: { shape: statementShape },
  InvoiceEvent: {
    shape: billEventShape,
    also: {
      event_type: words(billEventTypes),
      event_data: {
        type: 'object',
        description: 'What the type calls for: amounts, the payment and how it was made, states before and after.',
        additionalProperties: true,
      },
    },
  },
  LaterInvoice: { shape: billShape, also: { status: words(billStatuses) } },
  Invoice: { shape: invoiceShape, also: { state: words(invoiceStates) } },
  Event: {
    shape: eventShape,
    also: {
      event_specific_data: {
        type: ['object', 'null'],
        description: 'What the key calls for: ids, values before and after.',
        additionalProperties: true,
      },
    },
  },
  Note: { shape: noteShape },
  ReasonCode: { shape: reasonCodeShape },
  ApiKey: { shape: apiKeyShape },
  NewApiKey: { shape: newApiKeyShape },
  LineItem: { shape: lineItemShape },
  RenewalPreview: { shape: renewalPreviewShape },
  SubscriptionPreview: { shape: signupPreviewShape },
  MigrationPreview: { shape: migrationPreviewShape },
  Metadatum: { shape: metadataShape.list as Fields },
  Metafield: {
    shape: metafieldsShape.list as Fields,
    also: {
      scope: {
        type: 'object',
        properties: {
          ...Object.fromEntries(
            scopeFlags.map((name) => [
              name,
              { ...flag, ...(name.includes('_') && { xml: { name: name.replaceAll('_', '-') } }) },
            ]),
          ),
          hosted: { type: 'array', items: { type: 'string', xml: { name: 'product' } }, xml: { wrapped: true } },
        },
      },
      input_type: { ...words(inputTypes), xml: { name: 'input-type' } },
    },
  },
  ManagementLink: { shape: managementLinkShape },
  Invitation: { shape: invitationShape },
  PortalSettings: { shape: portalSettingsShape },
  Letter: { shape: letterShape, also: { kind: words(letterKinds), status: words(['sent', 'waiting', 'given_up']) } },
  LetterSettings: { shape: letterSettingsShape },
  Endpoint: { shape: endpointShape },
  EndpointSecrets: { shape: endpointSecretsShape },
  Webhook: { shape: webhookShape },
  WebhookAttempt: { shape: webhookAttemptShape },
  Site: { shape: siteShape },
  TestClock: { shape: testClockShape, also: { status: words(['ready', 'advancing']) } },
  GatewayCall: { shape: callShape },
  GatewayBehaviour: { shape: behaviourShape },
}

const nameOf = new Map(Object.entries(names).map(([name, { shape }]) => [shape, name]))

const reference = (shape: Fields): JsonSchema | undefined => {
  const name = nameOf.get(shape)
  return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` }
}

/** A value of this shape: a reference where the shape has a name. Never null. */
export const schemaOf = (shape: Shape): JsonSchema => itemSchema(shape, reference)

export const namedSchemas = (): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    Object.entries(names).map(([name, { shape, also }]) => {
      const schema = fieldsSchema(shape, reference)
      return [name, { ...schema, properties: { ...(schema.properties as object), ...also } }]
    }),
  )
