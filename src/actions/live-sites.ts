/** Which cards a site can use: those of a gateway that is there; and on a live site, which takes real money, none of the test gateway's. */
import { invalid } from '../billing/refusal.ts'
import type { Gateways } from '../gateway/gateway.ts'
import { liveNeedsGateway } from '../gateway/test-sites-only.ts'
import type { Database } from '../store/database.ts'
import { findSite } from '../store/sites.ts'

type Vaults = { gateways: Gateways }

/** A site stays what it was made as. */
const known = new WeakMap<Database, Map<number, boolean>>()

export async function isLiveSite(db: Database, siteId: number): Promise<boolean> {
  const sites = known.get(db) ?? new Map<number, boolean>()
  known.set(db, sites)
  const remembered = sites.get(siteId)
  if (remembered !== undefined) return remembered
  const isLive = (await findSite(db, siteId))?.live ?? false
  sites.set(siteId, isLive)
  return isLive
}

/** A card that no gateway here keeps would be stored, and fail when it is to pay. */
export const noAccount = 'Current vault: there is no account with that gateway here, so its cards cannot be charged.'

/** What is wrong with a card of that vault on that site; undefined where nothing is. */
export function problemOfVault({ gateways }: Vaults, { live }: { live: boolean }, vault: string): string | undefined {
  const gateway = gateways.get(vault)
  if (gateway === undefined) return noAccount
  return live && gateway.isForTests ? liveNeedsGateway : undefined
}

/** The same for a site of which only the id is known. */
export async function refuseVault(app: Vaults & { db: Database }, siteId: number, vault: string): Promise<void> {
  const problem = problemOfVault(app, { live: await isLiveSite(app.db, siteId) }, vault)
  if (problem !== undefined) throw invalid(problem)
}

/** Whether a live site can take cards here at all. */
export const canTakeCards = ({ gateways }: Vaults): boolean =>
  [...gateways.values()].some(({ isForTests = false }) => !isForTests)
