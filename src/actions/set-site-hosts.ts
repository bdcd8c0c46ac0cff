/** Says which host names belong to one site. */
import { invalid } from '../billing/refusal.ts'
import { violatedConstraint } from '../store/database.ts'
import { replaceSiteHosts } from '../store/site-hosts.ts'
import { type App, write } from './app.ts'

const hostsMax = 100
const hostForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

/**
 * Replaces the names that there were; none leaves the site without. A name is kept in lower case, without a port. Refuses what is no
 * host name, and a name of another site. Running processes know it within a second.
 */
export async function setSiteHosts(app: App, siteId: number, names: readonly string[]): Promise<readonly string[]> {
  const hosts = [...new Set(names.map((name) => name.trim().toLowerCase()))].sort()
  if (hosts.length > hostsMax) throw invalid(`Hosts: a site has at most ${hostsMax}.`)
  for (const host of hosts) {
    if (!hostForm.test(host)) throw invalid('Hosts: each must be a host name, such as billing.example.com.')
  }
  await write(app, async (tx) => {
    await replaceSiteHosts(tx, siteId, hosts)
    return siteId
  }).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'a_host_names_one_site') throw error
    throw invalid('Hosts: one of them belongs to another site.')
  })
  return hosts
}
