/** What went wrong with an attempt, in words that tell a merchant what to look at and nobody what is inside our network. */
import { ForbiddenAddress } from './addresses.ts'

const words: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection closed before an answer came',
  EPIPE: 'Connection closed before an answer came',
  UND_ERR_SOCKET: 'Connection closed before an answer came',
  ENOTFOUND: 'The name of the host could not be resolved',
  EAI_AGAIN: 'The name of the host could not be resolved',
  EHOSTUNREACH: 'Host unreachable',
  ENETUNREACH: 'Host unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
}

const certificate = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|HOSTNAME_MISMATCH)/
const late = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

export function describeFailure(error: Error, limitMs: number): string {
  if (error instanceof ForbiddenAddress) return 'The address is not public'
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (late.has(code)) return `No answer within ${limitMs / 1000} seconds`
  if (certificate.test(code)) return 'The certificate could not be verified'
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'No secure connection could be made'
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_')) return 'The answer is not HTTP'
  return words[code] ?? 'The connection failed'
}
