/** What an answer says, as a set of facts that can be compared between two sites' worth of requests. */

/** Keys whose values differ from request to request whatever was sent. */
const changing = /^(id|.*_id|.*_ids|.*token|.*secret.*|.*key|signature|text|url|prefix|number|total_count|total_pages)$/

const place = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/**
 * Each leaf with the path to it, items of lists without their numbers. Numbers of rows and names made for one request are masked, unless
 * they were `sent`.
 */
export function factsIn(tree: unknown, sent: ReadonlySet<string>, path = ''): string[] {
  if (Array.isArray(tree)) {
    return [`${path}: ${tree.length} items`, ...tree.flatMap((item) => factsIn(item, sent, path))]
  }
  if (typeof tree === 'object' && tree !== null) {
    return Object.entries(tree).flatMap(([name, value]) => factsIn(value, sent, place(path, name)))
  }
  return [`${path} = ${masked(path, String(tree), sent)}`]
}

function masked(path: string, value: string, sent: ReadonlySet<string>): string {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (sent.has(value)) return value
  if (changing.test(key) && value !== 'null' && value !== '') return '*'
  return value.replaceAll(/\b[5-9]\d{5}\b/g, '#').replaceAll(/u\d+u/gi, 'u#u')
}

/** Facts of one side that the other lacks, or has more seldom. */
export function differences(before: readonly string[], after: readonly string[]): string[] {
  const count = new Map<string, number>()
  for (const fact of before) count.set(fact, (count.get(fact) ?? 0) + 1)
  for (const fact of after) count.set(fact, (count.get(fact) ?? 0) - 1)
  return [...count].filter(([, more]) => more !== 0).map(([fact]) => fact)
}
