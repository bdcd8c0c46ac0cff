/** A shop whose invoices have the later form, and those who buy there. */
import assert from 'node:assert/strict'
import type { Reply } from '../support/test-app.ts'
import { ada, made, openShop, type Shop, signup } from './shop.ts'

export type Tree = Reply['json']

export const openLaterShop = async (): Promise<Shop> => {
  const shop = await openShop()
  const body = { site: { relationship_invoicing_enabled: true } }
  assert.equal((await shop.ask('PUT /site.json', { body })).json.site.relationship_invoicing_enabled, true)
  return shop
}

/** Pays by invoice, without a card. */
export const sendsInvoices = {
  product_handle: 'card-optional',
  customer_attributes: ada,
  payment_collection_method: 'remittance',
  payment_profile_attributes: undefined,
}

export const buy = async (shop: Shop, changes: object): Promise<Tree> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription
