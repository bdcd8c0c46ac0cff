/** The page docs/sdk.md: one row for each operation, with what the walk saw of it in each SDK. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isServed, operations } from './operations.ts'

export const pageFile = join(import.meta.dirname, '../../docs/sdk.md')

export const languages = ['TypeScript', 'Python', 'Java'] as const
export type Language = (typeof languages)[number]

/**
 * `served`: every answer was read, and what was sent was found again. `refused`: we say by name that it is not supported. `not there`: there is no such path. `–`: the SDK has no such operation.
 */
export type Cell = 'served' | 'refused' | 'not there' | '–'

export type Row = { cells: Partial<Record<Language, Cell>>; remark: string }

export const isServedByAll = (cells: Row['cells']): boolean =>
  Object.values(cells).every((cell) => cell === 'served' || cell === '–')

const versionIn = (file: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1] ?? ''

const versions = [
  `TypeScript ${versionIn('../../package.json', /advanced-billing-sdk": "(.*)"/)}`,
  `Python ${versionIn('python/requirements.txt', /^maxio-advanced-billing-sdk==(\S+)/m)}`,
  `Java ${versionIn('java/pom.xml', /advanced-billing-sdk<\/artifactId>\s*<version>(.*)<\/version>/)}`,
]

const intro = `# The official SDKs

A client that was written for the hosted service talks to Kalends with the official SDK as it comes from the registry: only the address differs. \`npm run conformance\` walks three of them, ${versions.join(', ')}, over every operation that Kalends serves, on a site that has every kind of product, component, coupon, event and subscription state.
An operation is *served* where the SDK's typed models read every answer, no field is absent that they require, and whatever was sent is found again in what is read back. *Refused*: the answer says by name that it is not supported. *Not there*: there is no such path. –: that SDK has no such operation.

The SDKs read invoices in their later form, which a site has where \`PUT /site.json\` sets \`relationship_invoicing_enabled\`; else \`GET /invoices\` and what belongs to it answer in the earlier form. [What an invoice is then](decisions/bills-of-the-later-form.md): one for each period of who pays by card, and each invoice of who pays by invoice. \`listInvoices\` refuses \`sort\` by amounts and \`subscription_group_uid\` with 422. Of the events there are \`issue_invoice\`, \`apply_payment\`, \`failed_payment\` and \`refund_invoice\`; the others never come up.

A field that an SDK sends is known to the input of its operation, and then refused by name or read back (\`test/known-fields\`); the few that are taken and mean nothing here stand in \`test/conformance/sent-fields.test.ts\`, each with its reason.

The table is made from that walk, by \`npm run conformance -- write\`; the remarks are kept by hand.
`

/** As the page on file has them. */
export function rowsOnFile(page = readFileSync(pageFile, 'utf8')): Map<string, Row> {
  const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']): [string, Row] => {
    const [, ...columns] = rest.split(' | ').map((column) => column.trim())
    const cells = Object.fromEntries(languages.map((language, place) => [language, columns[place]]))
    return [name, { cells, remark: columns[languages.length] ?? '' }]
  })
  return new Map(rows)
}

/** What is served first, and then in the order of the SDK. */
export function pageOf(rows: ReadonlyMap<string, Row>): string {
  const line = (columns: readonly string[]): string => `| ${columns.join(' | ')} |`
  const ordered = [...operations.filter(isServed), ...operations.filter((one) => !isServed(one))]
  const table = ordered.map(({ name, method, path }) => {
    const { cells, remark } = rows.get(name) ?? { cells: {}, remark: '' }
    return line([
      `\`${name}\``,
      `\`${method} ${path}\``,
      ...languages.map((language) => cells[language] ?? '–'),
      remark,
    ])
  })
  const heads = ['operation', 'request', ...languages, 'remark']
  return `${intro}\n${[line(heads), `|${'---|'.repeat(heads.length)}`, ...table].join('\n').replaceAll(/ {2}\|$/gm, ' |')}\n`
}
