/** Fields that merchants add to customers and subscriptions (metafields), and what becomes of the values in them (metadata). */
import { customFieldValueChange, type FieldOwner, type SiteEvent } from './event.ts'
import { invalid } from './refusal.ts'

export const resourceTypes = ['customer', 'subscription'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** Of each type of resource. */
export const metafieldsMax = 200
export const valueBytesMax = 2048

export const inputTypes = ['text', 'radio', 'dropdown', 'balance_tracker'] as const
export const scopeFlags = ['csv', 'statements', 'invoices', 'portal', 'public_show', 'public_edit'] as const

/** Where the field is shown. `hosted` lists the products whose sign-up pages ask for it. */
type MetafieldScope = { [Flag in (typeof scopeFlags)[number]]: boolean } & { hosted: readonly string[] }

export type MetafieldTerms = {
  name: string
  inputType: (typeof inputTypes)[number]
  /** The values that radio and dropdown let one choose from; null for the others. */
  choices: readonly string[] | null
  scope: MetafieldScope
}

export type Metafield = MetafieldTerms & { siteId: number; id: number; resourceType: ResourceType }

export const newMetafield = (name: string): MetafieldTerms => ({
  name,
  inputType: 'text',
  choices: null,
  scope: {
    csv: false,
    statements: false,
    invoices: false,
    portal: false,
    public_show: false,
    public_edit: false,
    hosted: [],
  },
})

/** The terms after a change. Refuses choices where there is nothing to choose, and a choice of nothing. */
export function metafieldTerms(before: MetafieldTerms, change: Partial<MetafieldTerms>): MetafieldTerms {
  const terms = { ...before, ...change }
  if (terms.inputType !== 'radio' && terms.inputType !== 'dropdown') return { ...terms, choices: null }
  if (terms.choices === null || terms.choices.length === 0) throw invalid('Enum: cannot be blank.')
  return terms
}

/** What a resource has in one field. */
export type Metadatum = { id: number; metafieldId: number; name: string; resourceId: number; value: string }

/**
 * One value that is to be set. `currentName` is the field in which it stands now, when it is to move to another; a value of null
 * stays what it is.
 */
export type MetadatumChange = { name: string; currentName: string | null; value: string | null }

export type MetadataChanges = {
  set: readonly { metafieldId: number; value: string }[]
  removed: readonly number[]
  events: readonly SiteEvent[]
}

/** What a resource has before, what it is to have, and the fields that either knows, by name. */
type Known = {
  owner: FieldOwner
  fields: ReadonlyMap<string, Metafield>
  before: readonly Omit<Metadatum, 'id'>[]
}

/** What is wrong with values for something that is about to be made, in words; `fields` are those that exist, by name. */
export function metafieldProblems(
  fields: ReadonlyMap<string, Pick<Metafield, 'choices'>>,
  fieldCount: number,
  asked: readonly MetadatumChange[],
): string[] {
  const unfit = asked.flatMap(({ name, value }) => {
    const choices = fields.get(name)?.choices
    return choices && !choices.includes(value ?? '')
      ? [`Metafields ${name}: must be one of ${choices.join(', ')}.`]
      : []
  })
  const newCount = asked.filter(({ name }) => !fields.has(name)).length
  return fieldCount + newCount > metafieldsMax && newCount > 0 ? [...unfit, tooManyMetafields] : unfit
}

export const tooManyMetafields = `Metafields: a site has at most ${metafieldsMax} for each resource type.`

/** The changes in their order, the last word about each field counts. Refuses values that a field does not offer. */
export function decideMetadata(known: Known, asked: readonly MetadatumChange[]): MetadataChanges {
  const after = new Map(known.before.map(({ name, value }) => [name, value]))
  for (const { name, currentName, value } of asked) {
    const current = after.get(currentName ?? name)
    if (currentName !== null && current === undefined) throw invalid(`Current name: there is no metadata of that name.`)
    const next = value ?? current
    if (next === undefined) throw invalid('Value: cannot be blank.')
    const choices = known.fields.get(name)?.choices
    if (choices && !choices.includes(next)) throw invalid(`Value: must be one of ${choices.join(', ')}.`)
    if (currentName !== null) after.delete(currentName)
    after.set(name, next)
  }
  return differenceOf(known, after)
}

/** Takes the values out of these fields. Undefined when the resource has none of them. */
export function decideMetadataRemoval(known: Known, names: readonly string[]): MetadataChanges | undefined {
  const after = new Map(known.before.map(({ name, value }) => [name, value]))
  const removed = names.filter((name) => after.delete(name))
  return removed.length === 0 ? undefined : differenceOf(known, after)
}

/** A value that stays what it was leaves no trace. */
function differenceOf({ owner, fields, before }: Known, after: ReadonlyMap<string, string>): MetadataChanges {
  const values = new Map(before.map(({ name, value }) => [name, value]))
  const changed = [...fields.values()].flatMap((field) => {
    const from = values.get(field.name) ?? null
    const to = after.get(field.name) ?? null
    return from === to ? [] : [{ field, from, to }]
  })
  return {
    set: changed.flatMap(({ field, to }) => (to === null ? [] : [{ metafieldId: field.id, value: to }])),
    removed: changed.filter(({ to }) => to === null).map(({ field }) => field.id),
    events: changed.map(({ field, from, to }) => customFieldValueChange(owner, field, from, to)),
  }
}
