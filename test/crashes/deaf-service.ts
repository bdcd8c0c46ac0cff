/** The service with a gateway that captures when it is told to, but cannot be asked what became of a payment. */
import { type Gateway, gatewayTerms } from '../../src/gateway/gateway.ts'
import { readConfig } from '../../src/host/config.ts'
import { openApp, serve } from '../../src/main.ts'

/** The gateway as it is, except that questions go unanswered. */
export const deaf = (gateway: Gateway): Gateway => ({
  ...gatewayTerms(gateway),
  store: (card, reference) => gateway.store(card, reference),
  purchase: (request) => gateway.purchase(request),
  find: () => Promise.reject(new Error('the gateway does not answer')),
  refund: (request) => gateway.refund(request),
  findRefund: () => Promise.reject(new Error('the gateway does not answer')),
  void: (reference) => gateway.void(reference),
  close: () => gateway.close(),
})

async function run(): Promise<void> {
  const config = readConfig()
  const opened = await openApp(config)
  const gateways = new Map([...opened.app.gateways].map(([name, gateway]) => [name, deaf(gateway)]))
  const { port } = await serve({ ...opened, app: { ...opened.app, gateways } }, config, ['api', 'workers'])
  process.stdout.write(`Kalends is ready at https://localhost:${port}\n`)
}

if (import.meta.main) await run()
