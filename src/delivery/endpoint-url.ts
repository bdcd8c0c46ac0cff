/** What a URL for webhooks may look like, before anything is looked up. */
import { isForbiddenHost } from './addresses.ts'

const urlMax = 2000
const usualPorts = new Set(['', '80', '443'])

/** In the words that follow `URL: `; null when nothing is wrong. Odd ports and hosts within are for installations that allow them. */
export function endpointUrlProblem(url: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    return 'invalid, only http and https supported'
  }
  // They would be left out where it is sent to, and yet stand in letters and events.
  if (/\p{Cc}/u.test(url)) return 'must not hold line breaks or other control characters.'
  if (url.length > urlMax) return `is too long (maximum is ${urlMax} characters).`
  if (parsed.username !== '' || parsed.password !== '') return 'must not hold a user name or a password.'
  if (allowPrivate) return null
  if (!usualPorts.has(parsed.port)) return 'invalid, only ports 80 and 443 supported'
  return isForbiddenHost(parsed.hostname) ? 'must lead to a public address.' : null
}
