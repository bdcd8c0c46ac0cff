/** What a site has one of, and its endpoints and keys. */
import type { Case, Cases } from './cases.ts'
import { done } from './world.ts'

const setting =
  (path: string, root: string | null, body: object = {}): Case['open'] =>
  async () => ({ line: `PUT ${path}`, root, body, reads: [path] })

const endpoint =
  (line: string, root: string): Case['open'] =>
  async ({ unique }, say) => {
    const first = { url: `https://example.com/${unique()}` }
    const { id } = (await done(say, 'POST /endpoints', { endpoint: first })).endpoint
    const isNew = line === 'POST /endpoints'
    return { line: line.replace(':id', id), root, body: isNew ? first : {} }
  }
const endpointValues = {
  url: () => ['https://example.org/other'],
  webhook_subscriptions: () => [['payment_success']],
}

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const settingCases: Cases = {
  'PUT /site': {
    isShared: true,
    open: setting('/site', 'site'),
    // The site has transactions.
    refused: ['currency'],
    values: {
      time_zone: () => ['America/New_York'],
      country: () => ['DE'],
      logo: () => [png],
      vat_number: () => ['DE123456789'],
    },
  },
  'PUT /portal/settings': {
    isShared: true,
    open: setting('/portal/settings', 'portal_settings'),
    values: { accent_color: () => ['#112233'], base_url: () => ['https://billing.example.com'] },
  },
  'PUT /letters/settings': {
    isShared: true,
    open: setting('/letters/settings', 'letter_settings'),
    values: { reply_to: () => ['reply@example.org'] },
  },
  'PUT /webhooks/settings': {
    isShared: true,
    open: setting('/webhooks/settings', 'webhook_settings', { webhooks_enabled: true }),
  },
  'POST /endpoints': { open: endpoint('POST /endpoints', 'endpoint'), values: endpointValues },
  'PUT /endpoints/:endpoint_id': { open: endpoint('PUT /endpoints/:id', 'endpoint'), values: endpointValues },
  'POST /endpoints/:endpoint_id/rotate_secret': { elsewhere: 'test/api/endpoints.test.ts' },
  'POST /webhooks/replay': { elsewhere: 'test/api/endpoints.test.ts' },
  'POST /api_keys': { open: async () => ({ line: 'POST /api_keys', root: 'api_key', body: {} }) },
  'PUT /test_clock': { elsewhere: 'test/api/test-clock.test.ts' },
  'PUT /bogus_gateway/behaviour': { elsewhere: 'test/api/bogus-gateway.test.ts' },
}
