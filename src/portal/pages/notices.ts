/** What went well on the page before, told once on the next one; addresses carry a word for it and never the sentence. */
import type { PageHead } from '../../wire/page.ts'

const sentences = {
  'card-changed': 'Your card was changed.',
  'card-paid': 'Your card was changed and the outstanding amount was paid. Thank you.',
  'cancel-scheduled': 'Your subscription will end with the current period. You can change your mind until then.',
  canceled: 'Your subscription was canceled.',
  kept: 'Your subscription goes on as before.',
  reactivated: 'Welcome back. Your subscription is active again.',
  paid: 'The outstanding amount was paid. Thank you.',
  'product-changed': 'Your subscription was changed.',
  'product-scheduled': 'Your subscription will change at the next renewal.',
  'product-kept': 'Your subscription keeps its product.',
  'details-saved': 'Your details were saved.',
} as const
export type Notice = keyof typeof sentences

export const noticeFrom = ({ query }: PageHead): string | undefined => {
  const word = query.done
  return typeof word === 'string' && Object.hasOwn(sentences, word) ? sentences[word as Notice] : undefined
}

export const withNotice = (path: string, notice: Notice): string => `${path}?done=${notice}`
