/** Stands in for the process that makes pages, and does what the document's number asks for. */
import type { Delivery, Order } from '../../src/pdf/typesetter.ts'

const tell = (id: number, text: string): void => {
  process.send?.({ id, pdf: Buffer.from(text), memoryBytes: 1000 } satisfies Delivery)
}

process.on('message', ({ id, document }: Order) => {
  switch (document.number) {
    case 'crash':
      process.abort()
      break
    case 'hang':
      for (;;);
    case 'problem':
      process.send?.({ id, problem: 'as asked', memoryBytes: 1000 } satisfies Delivery)
      break
    case 'environment':
      tell(
        id,
        Object.keys(process.env)
          .filter((name) => !name.startsWith('NODE_CHANNEL'))
          .join(' '),
      )
      break
    default:
      tell(id, String(process.pid))
  }
})
process.on('disconnect', () => process.exit())
