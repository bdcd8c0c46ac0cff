/** What is said of the site itself, and of the clock and the gateway of a test site. */
import { apiKeyShape, newApiKeyShape } from '../../views/api-key.ts'
import { behaviourShape, callShape } from '../../views/bogus-gateway.ts'
import { siteShape, testClockShape } from '../../views/site.ts'
import { apiKeyInput } from '../api-keys.ts'
import { behaviourInput } from '../bogus-gateway.ts'
import { cleanupInput, siteInput } from '../site.ts'
import { testClockInput } from '../test-clock.ts'
import { about, many, nothing, one, sent } from './description.ts'
import { asQuery, paged, sinceId } from './parameters.ts'

const site = one('site', siteShape)
const clock = one('test_clock', testClockShape)
const behaviour = one('behaviour', behaviourShape)

export const siteDescriptions = about('Site', {
  'GET /site': { id: 'readSite', summary: 'Shows the settings of the site.', answers: site },
  'PUT /site': {
    id: 'updateSite',
    summary: 'Changes the settings of the site.',
    input: sent('site', siteInput),
    answers: site,
  },
  'POST /sites/clear_data': {
    id: 'clearSite',
    summary: 'Empties a test site.',
    query: asQuery(cleanupInput),
    refuses: [403],
    answers: nothing(200),
  },
  'GET /api_keys': {
    id: 'listApiKeys',
    summary: 'Lists the keys that open the site: by their first characters, and when each was last used, to the hour.',
    query: paged(),
    answers: many('api_keys', 'api_key', apiKeyShape),
  },
  'POST /api_keys': {
    id: 'createApiKey',
    summary: 'Makes a key that opens the site; this answer alone shows it in clear.',
    input: sent('api_key', apiKeyInput),
    answers: one('api_key', newApiKeyShape, 201),
  },
  'DELETE /api_keys/:api_key_id': {
    id: 'revokeApiKey',
    summary:
      'Revokes a key for good, everywhere within a second. A key cannot revoke itself, and the last one of a site stays.',
    answers: nothing(204),
  },
  'GET /test_clock': { id: 'readTestClock', summary: 'Shows the clock of the site.', answers: clock },
  'PUT /test_clock': {
    id: 'moveTestClock',
    summary: 'Moves the clock of a test site forward, and does everything that comes due on the way.',
    input: sent('test_clock', testClockInput),
    answers: [...clock, ...one('test_clock', testClockShape, 202)],
  },
  'GET /bogus_gateway/calls': {
    id: 'listGatewayCalls',
    summary: 'Lists what the test gateway was asked.',
    query: [...paged(), sinceId],
    refuses: [404],
    answers: many('calls', 'call', callShape),
  },
  'GET /bogus_gateway/behaviour': {
    id: 'readGatewayBehaviour',
    summary: 'Shows how the test gateway behaves.',
    refuses: [404],
    answers: behaviour,
  },
  'PUT /bogus_gateway/behaviour': {
    id: 'setGatewayBehaviour',
    summary: 'Makes the test gateway slow, or lets it decline, fail or lose answers.',
    input: sent('behaviour', behaviourInput),
    refuses: [404],
    answers: behaviour,
  },
})
