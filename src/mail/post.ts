/** Where letters leave the house: by SMTP, or as files in an outbox when no server is named. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'

export type Attachment = { filename: string; contentType: string; content: Buffer }

export type Mail = {
  /** Names the letter for good: sent twice, it is recognised as one. */
  messageId: string
  from: { name: string; address: string }
  replyTo: string | null
  to: { name: string; address: string }
  cc: readonly string[]
  subject: string
  text: string
  html: string
  date: Temporal.Instant
  attachments: readonly Attachment[]
  /** Without an ending; letters in an outbox are found by it. */
  fileName: string
}

/** Whoever would receive it refused it for good; sending it again is of no use. */
export class LetterRefused extends Error {}

export type Post = {
  /** Throws `LetterRefused`, or any other error for what may pass. */
  send(mail: Mail): Promise<void>
  close(): void
}

const timeoutMs = 20_000
/** To one mail server; each carries many letters. */
const connectionsMax = 8

/** `url` is smtp:// or smtps://, with user and password where the server asks for them. */
export function smtpPost(url: string): Post {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...closed,
  })
  return {
    send: async (mail) => {
      try {
        await transport.sendMail(messageOf(mail))
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode
        if (code !== undefined && code >= 500 && code < 600)
          throw new LetterRefused(`The mail server answered ${code}.`)
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** One .eml file for each letter; the same letter takes the same file, and a file is there whole or not at all. */
export function outboxPost(directory: string): Post {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(messageOf(mail))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = join(directory, `${mail.fileName}.eml`)
      try {
        await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
        await rename(`${file}.part`, file)
      } catch (error) {
        // Half a letter would take room where there is none.
        await rm(`${file}.part`, { force: true }).catch(() => {})
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** A letter is made of what is in it: nothing in a customer's name makes us read a file or fetch an address. */
const closed = { disableFileAccess: true, disableUrlAccess: true }

const messageOf = (mail: Mail): SendMailOptions => ({
  ...closed,
  messageId: mail.messageId,
  from: mail.from,
  ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
  to: mail.to,
  cc: [...mail.cc],
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  date: new Date(mail.date.epochMilliseconds),
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  attachments: mail.attachments.map((attachment) => ({ ...attachment })),
})
