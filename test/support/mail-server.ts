/** A mail server of the test's own: takes letters by SMTP and keeps them, or refuses them as it was told to. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'

export type MailServer = {
  url: string
  /** Each as it came over the wire. */
  received: string[]
  /** What the next letters are answered with when their recipient is named: 250 takes them. */
  answers: number[]
  /** How many were opened so far. */
  connections(): number
}

export async function mailServer(t: TestContext): Promise<MailServer> {
  const received: string[] = []
  const answers: number[] = []
  let opened = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect: (_session, go) => {
      opened += 1
      go()
    },
    onRcptTo: (_address, _session, go) => {
      const answer = answers.shift() ?? 250
      go(answer === 250 ? null : Object.assign(new Error('as told'), { responseCode: answer }))
    },
    onData: (stream, _session, done) => {
      void text(stream).then((letter) => {
        received.push(letter)
        done()
      }, done)
    },
  })
  // A client that breaks off is no fault of the test.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => new Promise<void>((closed) => server.close(closed)))
  const { port } = listener.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, received, answers, connections: () => opened }
}
