/** What a subscription's components cost in one assessment: quantities and switches in advance, metered usage in arrears. */
import { formatQuantity, type SubscribedComponent } from './component.ts'
import { chargeLine, type LineItem } from './line-item.ts'
import type { DecimalText, MinorUnit } from './money.ts'
import { priceOf } from './pricing.ts'

/** Quantities, then metered usage, then switches; what comes to 0 writes no line. */
export const componentLines = (components: readonly SubscribedComponent[], unit: MinorUnit): LineItem[] =>
  [...quantityLines(components, unit), ...meteredLines(components, unit), ...onOffLines(components, unit)].filter(
    (line) => line.amount !== 0,
  )

/** What is paid in advance with a subscription's first period; usage comes in arrears. */
export const advanceLines = (components: readonly SubscribedComponent[], unit: MinorUnit): LineItem[] =>
  componentLines(
    components.filter(({ component }) => component.kind !== 'metered_component'),
    unit,
  )

const ofKind = (components: readonly SubscribedComponent[], kind: string): SubscribedComponent[] =>
  components.filter(({ component }) => component.kind === kind)

/** One for each component of the kind, by its count in figures and words. */
const countedLines = (
  kind: 'quantity_based_component' | 'metered_component',
  components: readonly SubscribedComponent[],
  unit: MinorUnit,
  countOf: (held: SubscribedComponent) => DecimalText,
): LineItem[] =>
  ofKind(components, kind).map((held) => {
    const { component } = held
    const count = countOf(held)
    const memo = `${component.name}: ${formatQuantity(component, count)}`
    const line = chargeLine(kind, priceOf(component, count, unit), memo, component.taxable, component.id)
    return component.recurring ? line : { ...line, isOneTime: true }
  })

const quantityLines = (components: readonly SubscribedComponent[], unit: MinorUnit): LineItem[] =>
  countedLines('quantity_based_component', components, unit, ({ quantity }) => quantity)

/** The usage of the period that ends; also that of a trial. */
const meteredLines = (components: readonly SubscribedComponent[], unit: MinorUnit): LineItem[] =>
  countedLines('metered_component', components, unit, ({ unitBalance }) => unitBalance)

const onOffLines = (components: readonly SubscribedComponent[], unit: MinorUnit): LineItem[] =>
  ofKind(components, 'on_off_component').map(({ component, quantity }) =>
    chargeLine('on_off_component', priceOf(component, quantity, unit), component.name, component.taxable, component.id),
  )
