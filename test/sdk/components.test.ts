/** The official SDK with components: defined, subscribed to, allocated, used and listed; it checks each answer against its schema. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ErrorListResponseError, ItemCategory, PricingScheme } from '@maxio-com/advanced-billing-sdk'
import { made, openShop, signup } from '../api/shop.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

describe('the SDK understands every answer', async () => {
  const shop = await openShop()
  const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
  after(() => merchant.leave())
  const { components, allocations } = merchant
  const family = String(shop.familyId)
  const users = await components.createQuantityBasedComponent(family, {
    quantityBasedComponent: {
      name: 'Users',
      handle: 'users',
      unitName: 'user',
      pricingScheme: PricingScheme.Tiered,
      prices: [
        { startingQuantity: 1, endingQuantity: 10, unitPrice: '15.00' },
        { startingQuantity: 11, endingQuantity: null, unitPrice: 9.5 },
      ],
    },
  })
  const calls = await components.createMeteredComponent(family, {
    meteredComponent: { name: 'Calls', unitName: 'call', pricingScheme: PricingScheme.PerUnit, unitPrice: '0.0055' },
  })
  const support = await components.createOnOffComponent(family, {
    onOffComponent: { name: 'Support', unitPrice: '45.00', taxable: true },
  })
  const usersId = users.result.component.id ?? 0
  const callsId = calls.result.component.id ?? 0
  const { subscription } = await made(
    shop,
    'POST /subscriptions.json',
    signup({ components: [{ component_id: support.result.component.id, enabled: true }] }),
  )

  test('of definitions', async () => {
    const { component } = (await components.readComponent(shop.familyId, String(usersId))).result
    assert.equal(component.prices?.[1]?.unitPrice, '9.5')
    assert.equal((await components.findComponent('users')).result.component.id, usersId)
    assert.equal((await components.listComponents({})).result.length, 3)
    const listed = await components.listComponentsForProductFamily({ productFamilyId: shop.familyId })
    assert.deepEqual(
      listed.result.map((one) => one.component.kind),
      ['quantity_based_component', 'metered_component', 'on_off_component'],
    )
    const fields = {
      description: 'Who may log in',
      taxCode: 'P0000000',
      itemCategory: ItemCategory.EnumDigitalServices,
    }
    const changed = await components.updateComponent(String(usersId), { component: fields })
    const { description, taxCode, itemCategory } = changed.result.component
    assert.deepEqual({ description, taxCode, itemCategory }, fields)
    const named = { component: { name: 'People' } }
    const renamed = await components.updateProductFamilyComponent(shop.familyId, String(usersId), named)
    assert.equal(renamed.result.component.name, 'People')
    const archived = await components.archiveComponent(shop.familyId, String(support.result.component.id))
    assert.ok(archived.result.archived ?? true)
  })

  test('of price points', async () => {
    const { componentPricePoints, productPricePoints } = merchant
    const { pricePoint } = (await componentPricePoints.readComponentPricePoint(usersId, usersId)).result
    assert.deepEqual([pricePoint.id, pricePoint.prices?.length], [usersId, 2])
    const own = (await componentPricePoints.listComponentPricePoints({ componentId: usersId })).result
    assert.deepEqual(own.pricePoints, [pricePoint])
    const all = (await componentPricePoints.listAllComponentPricePoints({})).result
    assert.deepEqual(all.pricePoints[0], pricePoint)
    const id = shop.productIds.monthly
    const ofProduct = (await productPricePoints.readProductPricePoint(id, id)).result.pricePoint
    assert.equal(ofProduct.priceInCents, 5000n)
    const listed = (await productPricePoints.listProductPricePoints({ productId: id })).result
    assert.deepEqual(listed.pricePoints, [ofProduct])
    const everyOne = (await productPricePoints.listAllProductPricePoints({})).result
    assert.deepEqual(everyOne.pricePoints[0], ofProduct)
  })

  test('of allocations', async () => {
    const { id } = subscription
    const { result } = await allocations.allocateComponent(id, usersId, {
      allocation: { quantity: 12, memo: 'All of us', prorationUpgradeScheme: 'prorate-attempt-capture' },
    })
    assert.equal(result.allocation?.quantity, 12)
    assert.equal(result.allocation?.previousQuantity, 0)
    assert.equal(Number(result.allocation?.payment?.amountInCents), 16_900)
    assert.equal((await allocations.listAllocations(id, usersId)).result.length, 1)
    const several = await allocations.allocateComponents(id, {
      prorationUpgradeScheme: 'no-prorate',
      allocations: [{ componentId: usersId, quantity: 13 }],
    })
    assert.equal(several.result[0]?.allocation?.quantity, 13)
    const line = await allocations.readSubscriptionComponent(id, usersId)
    assert.equal(line.result.component?.allocatedQuantity, 13)
    const lines = await allocations.listSubscriptionComponents({ subscriptionId: id })
    assert.deepEqual(
      lines.result.map(({ component }) => component?.enabled),
      [undefined, undefined, true],
    )
    await assert.rejects(allocations.allocateComponent(id, callsId, { allocation: { quantity: 1 } }), (error) => {
      assert.ok(error instanceof ErrorListResponseError)
      const words = 'Allocations can only be updated for quantity and on/off components.'
      assert.deepEqual(error.result?.errors, [words])
      return true
    })
  })

  test('of usage', async () => {
    const { id } = subscription
    const { result } = await allocations.createUsage(id, callsId, { usage: { quantity: 1000, memo: 'May' } })
    assert.equal(result.usage.quantity, 1000)
    const listed = await allocations.listUsages({ subscriptionId: id, componentId: callsId })
    assert.equal(listed.result[0]?.usage.memo, 'May')
    const line = await allocations.readSubscriptionComponent(id, callsId)
    assert.equal(line.result.component?.unitBalance, 1000)
  })
})
