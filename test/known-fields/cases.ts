/** How each writing request is made in the shop: its path, what it needs to be accepted, and where its fields are read back. */

import type { Say } from '../api/two-formats.ts'
import type { Reply } from '../support/test-app.ts'
import { catalogCases } from './catalog-cases.ts'
import { recordCases } from './record-cases.ts'
import { settingCases } from './setting-cases.ts'
import { subscriptionCases } from './subscription-cases.ts'
import type { World } from './world.ts'

export type Opened = {
  readonly line: string
  readonly root: string | null
  readonly body: object
  /** What is read after the request, beside its answer; some know only from that where to read. */
  readonly reads?: readonly string[] | ((answer: Reply['json']) => readonly string[])
}

/** A request that changes what all others see, or needs a state that no request makes, is read back by a test of its own. */
type Elsewhere = { readonly elsewhere: string }

export type Case = {
  readonly open: (world: World, say: Say) => Promise<Opened>
  /** All requests are about one and the same thing, as settings are, or are read back from one list. */
  readonly isShared?: true
  /** Fields that cannot be seen in what is read back, each with its reason beside it. */
  readonly apart?: readonly string[]
  /** Of these fields alone something is seen. */
  readonly only?: readonly string[]
  /** Fields that are refused here, by name, whatever they say. */
  readonly refused?: readonly string[]
  /** Values for fields that do not take just any. */
  readonly values?: { readonly [path: string]: (world: World) => readonly unknown[] }
  /** What a field needs beside it to mean something; undefined takes a field out. */
  readonly with?: { readonly [path: string]: (world: World) => object }
}

export type Cases = { readonly [route: string]: Case | Elsewhere }

export const cases: Cases = { ...subscriptionCases, ...catalogCases, ...recordCases, ...settingCases }
