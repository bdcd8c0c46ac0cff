/** Writes a tree as a form, the way receivers of webhooks have always read it: `payload[subscription][id]=1`. */

export type FormValue = string | number | boolean | null | FormTree | readonly FormValue[]
export type FormTree = { readonly [name: string]: FormValue }

/** `(`, `)`, `'`, `!` and `*` stay as they are; half of a surrogate pair, which no form can carry, becomes U+FFFD. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * Brackets stay readable, blanks are `%20`, null is an empty value, items of a list carry their number. Lists and trees without
 * anything in them leave no trace. Fields stand in the order of the tree.
 */
export function writeForm(tree: FormTree): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(tree)) writeValue(pairs, encode(name), value)
  return pairs.join('&')
}

function writeValue(pairs: string[], path: string, value: FormValue): void {
  if (value === null || typeof value !== 'object') {
    pairs.push(`${path}=${value === null ? '' : encode(String(value))}`)
    return
  }
  for (const [name, item] of Object.entries(value)) writeValue(pairs, `${path}[${encode(name)}]`, item)
}
