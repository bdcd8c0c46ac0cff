/** What is said of letters to customers. */
import { letterKinds } from '../../billing/letter.ts'
import { letterSettingsShape, letterShape } from '../../views/letter-record.ts'
import { letterSettingsInput } from '../letters.ts'
import { about, many, one, sent } from './description.ts'
import { id, paged, words } from './parameters.ts'

export const letterDescriptions = about('Letters', {
  'GET /letters': {
    id: 'listLetters',
    summary: 'Lists the letters that were sent or wait to be.',
    query: [
      ...paged(),
      id('customer_id', 'Only to this customer.'),
      words('kinds', letterKinds, 'Only of these kinds.'),
    ],
    answers: many('letters', 'letter', letterShape),
  },
  'GET /letters/settings': {
    id: 'readLetterSettings',
    summary: 'Shows which letters are sent, and whom they are from.',
    answers: one('letter_settings', letterSettingsShape),
  },
  'PUT /letters/settings': {
    id: 'updateLetterSettings',
    summary: 'Changes which letters are sent, and whom they are from.',
    input: sent('letter_settings', letterSettingsInput),
    answers: one('letter_settings', letterSettingsShape),
  },
  'GET /letters/:letter_id': {
    id: 'readLetter',
    summary: 'Shows one letter: to whom, when, and what became of it.',
    answers: one('letter', letterShape),
  },
})
