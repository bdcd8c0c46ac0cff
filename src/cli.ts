/** The command line: serve, migrate, verify, resume, and the sites and keys of an installation. */
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { App } from './actions/app.ts'
import { createApiKey } from './actions/create-api-key.ts'
import { createDemoData } from './actions/create-demo-data.ts'
import { createSite } from './actions/create-site.ts'
import { canTakeCards } from './actions/live-sites.ts'
import { resolvePaymentById } from './actions/resolve-payment.ts'
import { revokeApiKey } from './actions/revoke-api-key.ts'
import { setSiteHosts } from './actions/set-site-hosts.ts'
import { setUpFirstSite } from './actions/set-up-first-site.ts'
import { unparkSubscription } from './actions/unpark-subscription.ts'
import { verify } from './actions/verify.ts'
import { invalid, Refusal } from './billing/refusal.ts'
import { type Config, readConfig } from './host/config.ts'
import { randomKey } from './host/secrets.ts'
import { SetupProblem } from './host/setup-problem.ts'
import { type Opened, openApp, type Role, roles, type Service, serve } from './main.ts'
import { findApiKey, listApiKeys } from './store/api-keys.ts'
import { listAttempts } from './store/payment-attempts.ts'
import { listSiteHosts } from './store/site-hosts.ts'
import { findSiteBySubdomain, listSites, type SiteRow } from './store/sites.ts'

const nodeMajorMin = 26

/** Opens what the environment names, does one thing, and closes again; works beside a running service. */
async function once(work: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await openApp({ ...readConfig(), logLevel: 'warn' })
  try {
    await work(opened)
  } finally {
    await opened.close()
  }
}

async function runService({ role }: { role: readonly Role[] }): Promise<void> {
  const stopAsked = toldToStop()
  const config = readConfig()
  const opened = await openApp(config)
  // Whatever is written is written whole or not at all, so a failure that nobody waits for is no reason to stop serving.
  process.on('unhandledRejection', (error) => opened.app.log.error({ err: error }, 'nobody waited for what failed'))
  const service = await start(opened, config, role).catch(async (error: unknown) => {
    await opened.close()
    throw error
  })
  const listens = role.includes('api')
  print(listens ? `Kalends is ready at https://localhost:${service.port}` : 'The workers of Kalends are ready')
  print(`Stopping (${await stopAsked}) ...`)
  await service.stop()
  process.exit(0)
}

async function start(opened: Opened, config: Config, role: readonly Role[]): Promise<Service> {
  const first = await setUpFirstSite(opened.app, config)
  if (first !== undefined) {
    print(first.greeting)
    if (config.demoData) await createDemoData(opened.app, first.siteId)
  }
  return serve(opened, config, role)
}

/** The first signal. Who is told to stop while it starts comes up first; a terminal and npm both pass a Ctrl-C on, so further ones mean nothing. */
const toldToStop = (): Promise<string> =>
  new Promise((told) => {
    process.on('SIGTERM', told)
    process.on('SIGINT', told)
  })

const noGatewayYet =
  'No payment gateway is set up for live sites yet, and the test gateway serves test sites only: cards are refused, subscriptions that are paid by invoice work.'

// Whoever read what is printed may be gone: that ends no service, which would leave its database running.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function readRoles(text: string): Role[] {
  const asked = text.split(',').map((name) => name.trim())
  const known = roles.filter((role) => asked.includes(role))
  if (known.length !== asked.length) throw new InvalidArgumentError(`roles are ${roles.join(' and ')}.`)
  return known
}

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('an id is a whole number.')
  return Number(text)
}

/** What the operator can put right is a sentence; anything else is a bug and shows where it happened. */
function fail(error: unknown): never {
  const expected = error instanceof SetupProblem || error instanceof Refusal
  const said = expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`kalends: ${said}\n`)
  process.exit(1)
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const program = new Command('kalends')
  .description('Open, self-hosted subscription billing.')
  .version(version, '--version', 'tell which version this is')
  .showHelpAfterError()

program
  .command('serve')
  .description('start the service')
  .option('--role <roles>', 'api, workers, or both', readRoles, [...roles])
  .action(runService)

program
  .command('migrate')
  .description('bring the database to the shape that this version needs')
  .action(() => once(async () => print('The database is up to date.')))

program
  .command('verify')
  .description('recompute every balance and identity from the rows; exits 1 on a difference')
  .action(() =>
    once(async ({ app }) => {
      const report = await verify(app)
      print(report.text)
      if (report.differences > 0) process.exitCode = 1
    }),
  )

program
  .command('resume')
  .description('take up a subscription that was parked because it could not be assessed')
  .requiredOption('--subscription <id>', 'as `verify` names it', readId)
  .action(({ subscription }: { subscription: number }) =>
    once(async ({ app }) => {
      const { subdomain } = await unparkSubscription(app, subscription)
      print(`Subscription ${subscription} of site ${subdomain} goes on.`)
    }),
  )

const payment = program.command('payment').description('payments of which only a human can say what became')

payment
  .command('unresolved')
  .description('site, id, subscription, amount in cents, gateway and key of each')
  .action(() =>
    once(async ({ app }) => {
      for (const { id, subdomain } of await listSites(app.db)) {
        const filter = { status: 'unresolved', subscriptionId: null } as const
        for (const open of await listAttempts(app.db, id, filter, { perPage: 1000, offset: 0 })) {
          print([subdomain, open.id, open.subscriptionId, open.amount, open.gateway, open.idempotencyKey].join('\t'))
        }
      }
    }),
  )

payment
  .command('resolve')
  .description('say what became of one, as you found out at its gateway')
  .requiredOption('--attempt <id>', 'as `payment unresolved` names it', readId)
  .addOption(new Option('--captured <name>', 'money moved, under this name at the gateway').conflicts('nothing'))
  .option('--nothing', 'no money moved')
  .action(({ attempt, captured, nothing }: { attempt: number; captured?: string; nothing?: boolean }) =>
    once(async ({ app }) => {
      if (captured === undefined && nothing !== true) throw invalid('Say --captured <name> or --nothing.')
      await resolvePaymentById(app, attempt, captured === undefined ? 'nothing' : { gatewayTransactionId: captured })
      print(`Payment attempt ${attempt} is settled.`)
    }),
  )

const site = program.command('site').description('the sites of this installation')

site
  .command('create')
  .description('make a site, and tell its API key once')
  .requiredOption('--subdomain <name>', 'names the site, also in the Host header')
  .option('--api-key <key>', 'random when absent')
  .option('--live', 'a live site runs on wall time for good', false)
  .option('--time-zone <zone>', 'IANA name', 'UTC')
  .option('--currency <code>', 'three letters', 'USD')
  .action((options: { subdomain: string; apiKey?: string; live: boolean; timeZone: string; currency: string }) =>
    once(async ({ app }) => {
      const { apiKey } = await createSite(app, { ...options, apiKey: options.apiKey })
      print(`Site ${options.subdomain} is ready. Its API key, shown this once: ${apiKey}`)
      if (options.live && !canTakeCards(app)) print(noGatewayYet)
    }),
  )

site
  .command('list')
  .description('id, subdomain, live or test, time zone and currency of each')
  .action(() =>
    once(async ({ app }) => {
      for (const { id, subdomain, live, timeZone, currency } of await listSites(app.db)) {
        print([id, subdomain, live ? 'live' : 'test', timeZone, currency].join('\t'))
      }
    }),
  )

site
  .command('hosts')
  .description('host names that belong to one site, and open no other; without names, those that there are')
  .requiredOption('--site <subdomain>', 'as `site list` names it')
  .addOption(new Option('--set <names>', 'replaces them all, with commas between').conflicts('none'))
  .option('--none', 'leaves none')
  .action((options: { site: string; set?: string; none?: boolean }) =>
    once(async ({ app }) => {
      const { id } = await siteNamed(app, options.site)
      const names = options.none ? [] : options.set?.split(',')
      const hosts = names === undefined ? await listSiteHosts(app.db, id) : await setSiteHosts(app, id, names)
      for (const host of hosts) print(host)
    }),
  )

const key = program.command('key').description('the API keys of a site')

async function siteNamed(app: App, subdomain: string): Promise<SiteRow> {
  const found = await findSiteBySubdomain(app.db, subdomain)
  if (found === undefined) throw invalid(`There is no site with the subdomain '${subdomain}'.`)
  return found
}

key
  .command('create')
  .description('make a further API key of a site, and tell it once')
  .requiredOption('--site <subdomain>', 'as `site list` names it')
  .option('--api-key <key>', 'random when absent')
  .option('--name <name>', 'what it is for')
  .action((options: { site: string; apiKey?: string; name?: string }) =>
    once(async ({ app }) => {
      const text = options.apiKey ?? randomKey()
      await createApiKey(app, (await siteNamed(app, options.site)).id, { text, name: options.name ?? null })
      print(text)
    }),
  )

key
  .command('list')
  .description('id, first characters, when it was made and last used (to the hour), and name of each')
  .requiredOption('--site <subdomain>', 'as `site list` names it')
  .action((options: { site: string }) =>
    once(async ({ app }) => {
      for (const one of await listApiKeys(app.db, (await siteNamed(app, options.site)).id)) {
        const { id, prefix, createdAt, lastUsedAt, name } = one
        print([id, `${prefix ?? ''}...`, createdAt, lastUsedAt ?? 'never used', name ?? ''].join('\t'))
      }
    }),
  )

key
  .command('revoke')
  .description('make an API key open nothing any more, in a running service within a second')
  .requiredOption('--site <subdomain>', 'as `site list` names it')
  .requiredOption('--id <id>', 'as `key list` tells it', readId)
  .action((options: { site: string; id: number }) =>
    once(async ({ app }) => {
      const { id: siteId } = await siteNamed(app, options.site)
      if ((await findApiKey(app.db, siteId, options.id)) === undefined) {
        throw invalid(`Site ${options.site} has no key ${options.id}.`)
      }
      await revokeApiKey(app, siteId, options.id, { askedWith: null })
      print(`Key ${options.id} of site ${options.site} is revoked.`)
      if ((await listApiKeys(app.db, siteId)).length === 0) print(`No key of it is left; \`key create\` makes one.`)
    }),
  )

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  fail(
    new SetupProblem(`Kalends runs on Node ${nodeMajorMin} or newer; start it with bin/kalends, which brings its own.`),
  )
}
program.parseAsync().catch(fail)
