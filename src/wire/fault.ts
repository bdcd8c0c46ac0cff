/** What is wrong with a request as such, before anybody asks what it means: status and sentence, never a piece of the input. */

export class RequestFault extends Error {
  override name = 'RequestFault'
  readonly status: number
  readonly messages: readonly string[]
  /** More of the request may be on its way than anybody wants to read: the connection ends with the answer. */
  endsConnection = false
  /** Sent with the answer. */
  headers: { readonly [name: string]: string } | undefined

  constructor(status: number, ...messages: string[]) {
    super(messages.join(' '))
    this.status = status
    this.messages = messages
  }
}

/** How large a document may be. Characters are those of the text, depth counts objects and lists, elements every value. */
export type DocumentLimits = {
  readonly characters: number
  readonly depth: number
  readonly elements: number
  /** XML only: of one element. */
  readonly attributes: number
}

export const documentLimits: DocumentLimits = { characters: 1_048_576, depth: 32, elements: 20_000, attributes: 32 }

export const endingConnection = (fault: RequestFault): RequestFault => Object.assign(fault, { endsConnection: true })

export const tooLarge = (): RequestFault => new RequestFault(413, 'The document is too large.')
export const tooDeep = (): RequestFault => new RequestFault(400, 'The document is nested too deeply.')
export const tooMany = (): RequestFault => new RequestFault(400, 'The document has too many elements.')

const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** Names that mean something to the language itself are refused, so that no later copy of the tree can be poisoned. */
export const refuseReservedName = (name: string): void => {
  if (reserved.has(name)) throw new RequestFault(400, 'The document uses a reserved name.')
}
