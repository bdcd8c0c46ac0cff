/** `npm run example`: starts a service of its own, walks through fourteen months with the official SDK, and throws the service away. */
import { openMerchant } from './merchant.ts'
import { startService } from './throw-away-service.ts'
import { walk } from './walk.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

say('A service of our own is starting ...')
const service = await startService()
const merchant = openMerchant(service)
try {
  say(
    `It listens on https://localhost:${service.port}. The official SDK talks to it as it would to the hosted service.`,
  )
  say('')
  await walk(merchant, say)
} finally {
  merchant.leave()
  await service.stop()
}
say('')
say('The service has stopped, and everything that it kept is gone.')
