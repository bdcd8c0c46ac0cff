/** A mail server of the test's own: takes letters by SMTP and keeps them, or refuses them as it was told to. */
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

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
  const sockets = new Set<Socket>()
  let opened = 0
  const server = createServer((socket) => {
    opened += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, received, answers)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, received, answers, connections: () => opened }
}

function serve(socket: Socket, received: string[], answers: number[]): void {
  let pending = ''
  let isLetter = false
  const say = (line: string): void => void socket.write(`${line}\r\n`)
  say('220 test')
  const hear = (line: string): void => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'RCPT') say(`${answers.shift() ?? 250} as told`)
    else if (word === 'DATA') {
      isLetter = true
      say('354 go on')
    } else if (word === 'QUIT') socket.end('221 bye\r\n')
    else say('250 fine')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending += chunk
    for (;;) {
      const ending = isLetter ? '\r\n.\r\n' : '\r\n'
      const end = pending.indexOf(ending)
      if (end < 0) return
      const piece = pending.slice(0, end)
      pending = pending.slice(end + ending.length)
      if (isLetter) {
        received.push(piece)
        isLetter = false
        say('250 taken')
      } else hear(piece)
    }
  })
}
