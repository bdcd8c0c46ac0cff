/** A post office of a test: letters are kept instead of sent, or leave as the test says. */
import assert from 'node:assert/strict'
import type { PostOffice } from '../../src/actions/send-letters.ts'
import type { Mail, Post } from '../../src/mail/post.ts'
import { type Shop, signup } from '../api/shop.ts'

export const office = (post: Post): PostOffice => ({
  post,
  mailFrom: 'billing@example.com',
  publicUrl: 'https://billing.example.com',
})

export function keepingPost(): Post & { mails: Mail[] } {
  const mails: Mail[] = []
  return { mails, send: async (mail) => void mails.push(mail), close: () => {} }
}

export async function subscribe(shop: Shop, changes: object = {}): Promise<{ id: number; customerId: number }> {
  const { status, json, text } = await shop.ask('POST /subscriptions.json', { body: signup(changes) })
  assert.equal(status, 201, text)
  return { id: json.subscription.id, customerId: json.subscription.customer.id }
}
