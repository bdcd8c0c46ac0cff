/** Runs one bench by its name: `npm run bench -- renewals`. */
import { benchAllocations, benchPreview, benchSignUps } from './acts/acts.ts'
import { benchLists } from './lists/lists.ts'
import { benchPdf } from './pdf/pdf.ts'
import { benchReads } from './reads/reads.ts'
import { benchRenewals } from './renewals/renewals.ts'
import { benchWebhooks } from './webhooks/webhooks.ts'

const benches: Record<string, (args: string[]) => Promise<void>> = {
  pdf: benchPdf,
  lists: benchLists,
  renewals: benchRenewals,
  reads: benchReads,
  preview: benchPreview,
  allocations: benchAllocations,
  'sign-ups': benchSignUps,
  webhooks: benchWebhooks,
}

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (bench === undefined) {
  process.stderr.write(`Which one? npm run bench -- ${Object.keys(benches).join(' | ')}\n`)
  process.exit(1)
}
await bench(args)
