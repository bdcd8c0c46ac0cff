/** Metadata and metafields as requests describe them: one, or a list of them. */
import type { NewMetafield } from '../actions/create-metafields.ts'
import type { MetafieldChange } from '../actions/update-metafields.ts'
import {
  inputTypes,
  type MetadatumChange,
  type MetafieldTerms,
  metafieldsMax,
  scopeFlags,
  valueBytesMax,
} from '../billing/metafield.ts'
import {
  boolean,
  type Command,
  InputErrors,
  isTree,
  listOf,
  nested,
  object,
  oneOf,
  readInput,
  text,
} from '../wire/input.ts'
import { Problems } from './problems.ts'

const required = true

const isShort = (value: string | null | undefined): boolean => Buffer.byteLength(value ?? '') <= valueBytesMax

const valueField = (label: string) =>
  text(label, { max: valueBytesMax }).refine(isShort, `${label}: is too long (maximum is ${valueBytesMax} bytes).`)

const value = valueField('Value')

export const metadatumInput = object({ name: text('Name'), current_name: text('Current name'), value })

export const metafieldInput = object({
  name: text('Name'),
  current_name: text('Current name'),
  scope: nested('Scope', {
    ...Object.fromEntries(scopeFlags.map((flag) => [flag, boolean(`Scope ${flag}`)])),
    hosted: listOf('Scope hosted', text('Scope hosted', { required }), { max: 200 }),
  }),
  input_type: oneOf('Input type', inputTypes),
  enum: listOf('Enum', text('Enum', { max: valueBytesMax }), { max: 200 }),
})

const metadataInput = object({ metadata: listOf('Metadata', metadatumInput, { max: metafieldsMax }) })
const metafieldsInput = object({ metafields: listOf('Metafields', metafieldInput, { max: metafieldsMax }) })

/** Throws `InputErrors`. A name is needed; and a value, unless it is to move from one field to another. */
export function readMetadata(body: unknown): MetadatumChange[] {
  const items = readInput(metadataInput, asList(body, 'metadata')).metadata ?? []
  return someOf('Metadata', items).map((item) => {
    const currentName = named(item.current_name)
    const name = named(item.name) ?? currentName
    const sent = item.value ?? null
    const problems = [
      ...(name === null ? ['Name: cannot be blank.'] : []),
      ...(sent === '' || (sent === null && currentName === null) ? ['Value: cannot be blank.'] : []),
    ]
    if (name === null || problems.length > 0) throw new InputErrors(problems)
    return { name, currentName, value: sent }
  })
}

/**
 * `{"color": "red"}` with something that is made: a value for each field, by the field's name. Blank values say nothing. Throws
 * `InputErrors`.
 */
export function readMetafieldValues(sent: unknown): MetadatumChange[] {
  if (sent === undefined || sent === null || sent === '') return []
  if (!isTree(sent)) throw new InputErrors(['Metafields: must be an object.'])
  const entries = Object.entries(sent)
  if (entries.length > metafieldsMax)
    throw new InputErrors([`Metafields: is too long (maximum is ${metafieldsMax} items).`])
  const problems = new Problems()
  const values = entries.map(([key, value]): MetadatumChange | undefined => {
    const { name } = problems.gather(() => readInput(nameInput, { name: key })) ?? {}
    if (name === undefined) return undefined
    const read = problems.gather(() => readInput(valueInput(`Metafields ${name}`), { value }))
    return read?.value?.trim() ? { name, currentName: null, value: read.value } : undefined
  })
  problems.tell()
  return values.filter((value) => value !== undefined)
}

const nameInput = object({ name: text('Metafields name', { required }) })

const valueInput = (label: string) => object({ value: valueField(label) })

/** Throws `InputErrors`. */
export const readNewMetafields = (body: unknown): NewMetafield[] =>
  readMetafields(body).map((item) => {
    const name = named(item.name)
    if (name === null) throw new InputErrors(['Name: cannot be blank.'])
    return { ...termsOf(item), name }
  })

/** Throws `InputErrors`. Without a current name the field keeps the one that it has. */
export const readMetafieldChanges = (body: unknown): MetafieldChange[] =>
  readMetafields(body).map((item) => {
    const name = named(item.name)
    const currentName = named(item.current_name) ?? name
    if (currentName === null) throw new InputErrors(['Name: cannot be blank.'])
    return { ...termsOf(item), ...(name !== null && { name }), currentName }
  })

const readMetafields = (body: unknown) =>
  someOf('Metafields', readInput(metafieldsInput, asList(body, 'metafields')).metafields ?? [])

/** A scope is sent as a whole: what it does not say is off. */
function termsOf({
  scope,
  input_type: inputType,
  enum: sent,
}: Command<typeof metafieldInput>): Partial<MetafieldTerms> {
  const choices = sent?.filter((choice): choice is string => Boolean(choice?.trim()))
  return {
    ...(scope !== undefined && { scope: scopeOf(scope ?? {}) }),
    ...(inputType !== undefined && { inputType: inputType ?? 'text' }),
    ...(choices !== undefined && { choices: [...new Set(choices)] }),
  }
}

function scopeOf(sent: Readonly<Record<string, unknown>>): MetafieldTerms['scope'] {
  const isOn = (flag: (typeof scopeFlags)[number]): boolean => sent[flag] === true
  return {
    csv: isOn('csv'),
    statements: isOn('statements'),
    invoices: isOn('invoices'),
    portal: isOn('portal'),
    public_show: isOn('public_show'),
    public_edit: isOn('public_edit'),
    hosted: (sent.hosted as readonly string[] | null | undefined) ?? [],
  }
}

const named = (sent: string | null | undefined): string | null => (sent?.trim() ? sent : null)

function someOf<Item>(label: string, items: readonly Item[]): readonly Item[] {
  if (items.length === 0) throw new InputErrors([`${label}: cannot be blank.`])
  return items
}

/** One that stands alone becomes a list of one. */
function asList(body: unknown, name: string): Readonly<Record<string, unknown>> {
  const sent = isTree(body) ? body[name] : undefined
  return { [name]: isTree(sent) && ('name' in sent || 'current_name' in sent || 'value' in sent) ? [sent] : sent }
}
