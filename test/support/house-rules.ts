/** The rules that the tree keeps: who may import whom, what may stand where, how long things may be. */

import { basename } from 'node:path'
import type { Source } from './sources.ts'

/** A rule gives a sentence for each thing that breaks it. */
export type Rule = (source: Source) => string[]

/** Ground floor first. A room may import from itself and from lower floors: never upward, never from a neighbour. */
const floors = [
  ['billing', 'host'],
  ['store', 'gateway', 'delivery', 'mail', 'pdf', 'wire'],
  ['views'],
  ['actions'],
  ['api', 'console', 'portal', 'workers'],
  ['main.ts'],
  ['cli.ts'],
]

const linesMax = 300
const functionLinesMax = 60

const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')
const inService = (source: Source): boolean => source.path.startsWith('src/') && !isTest(source)
/** `src/billing/money.ts` lies in `billing`; `src/cli.ts` is a room of its own. */
const roomOf = (path: string): string => path.split('/')[1] ?? path
const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room))

export const importsPointDownward: Rule = ({ path, imports }) => {
  if (!path.startsWith('src/')) return []
  const room = roomOf(path)
  if (floorOf(room) < 0) return [`${path}: ${room} is on no floor`]
  return imports
    .filter(({ from }) => from.startsWith('src/'))
    .map(({ from }) => roomOf(from))
    .filter((other) => other !== room && floorOf(other) >= floorOf(room))
    .map((other) => `${path}: may not import from ${other}`)
}

export const theServiceDoesNotNeedItsTests: Rule = (source) =>
  inService(source)
    ? source.imports
        .filter(({ from }) => from.startsWith('test/') || from.endsWith('.test.ts'))
        .map(({ from }) => `${source.path}: may not import ${from}`)
    : []

export const billingIsPure: Rule = (source) => {
  if (!inService(source) || roomOf(source.path) !== 'billing') return []
  return [
    ...source.imports
      .filter(({ from }) => !from.startsWith('src/billing/'))
      .map(({ from }) => `${source.path}: billing may not import ${from}`),
    ...(source.waits ? [`${source.path}: billing waits for nothing, so it needs no async or await`] : []),
  ]
}

/** Where each may be, as beginnings of paths. */
const driverPlaces = ['src/store/', 'src/gateway/bogus-', 'src/host/postgres/']

export const sqlStaysInTheStore: Rule = (source) => {
  if (!inService(source) || driverPlaces.some((place) => source.path.startsWith(place))) return []
  return source.imports.flatMap(({ from, values }) => [
    ...(from === 'pg' && values.length > 0 ? [`${source.path}: only the store speaks to PostgreSQL`] : []),
    ...(from === 'src/store/sql.ts' && values.length > 0
      ? [`${source.path}: a statement belongs in a function of store/`]
      : []),
  ])
}

const doors = new Set(['api', 'console', 'portal'])

export const doorsOnlyReadTheStore: Rule = (source) => {
  if (!inService(source) || !doors.has(roomOf(source.path))) return []
  return source.imports
    .filter(({ from }) => from.startsWith('src/store/'))
    .flatMap(({ values }) => values.filter((name) => !/^(find|get|list)[A-Z]/.test(name)))
    .map((name) => `${source.path}: ${name} is not a find…, get… or list…; change things through an action`)
}

const banned = [
  { text: 'Date.now(', except: 'src/host/clock.ts', instead: 'take `now` as an argument' },
  { text: 'new Date()', except: 'src/host/clock.ts', instead: 'take `now` as an argument' },
  { text: 'Temporal.Now', except: 'src/host/clock.ts', instead: 'take `now` as an argument' },
  { text: 'process.env', except: 'src/host/config.ts', instead: 'read it in host/config.ts' },
]

export const timeAndEnvironmentComeByTheDoor: Rule = (source) =>
  inService(source)
    ? banned
        .filter(({ text, except }) => source.path !== except && source.text.includes(text))
        .map(({ text, instead }) => `${source.path}: ${text} is banned, ${instead}`)
    : []

// Put together here, so that this file keeps its own rule.
const unfinished = [`@ts-${'ignore'}`, `@ts-${'nocheck'}`, `TO${'DO'}`, `FIX${'ME'}`]

export const nothingIsLeftForLater: Rule = ({ path, text, anys }) => [
  ...anys.map((line) => `${path}:${line}: the type any is banned, say what it is or take unknown`),
  ...unfinished.filter((word) => new RegExp(`${word}\\b`).test(text)).map((word) => `${path}: ${word} is banned`),
]

const emptyNames = /^(utils?|helpers?|commons?|misc|shared|legacy|new|old|v\d+)$/i

export const namesSayWhatIsInside: Rule = ({ path }) => {
  const parts = path.split('/').map((part) => part.replace(/(\.test|\.d)?\.ts$/, ''))
  return [
    ...parts
      .filter((part) => emptyNames.test(part))
      .map((part) => `${path}: ${part} says nothing about what is inside`),
    ...parts
      .filter((part) => !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(part))
      .map((part) => `${path}: ${part} is not in kebab-case`),
  ]
}

export const filesAreShort: Rule = ({ path, text }) => {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > linesMax ? [`${path}: ${lines} lines, ${linesMax} are the most`] : []
}

export const functionsAreShort: Rule = ({ path, functions }) =>
  functions
    .filter(({ lines }) => lines > functionLinesMax)
    .map(({ name, line, lines }) => `${path}:${line}: ${name} has ${lines} lines, ${functionLinesMax} are the most`)

export const filesOpenWithASentence: Rule = ({ path, text }) =>
  /^(#!.*\n)?\/\*\*\s*\S/.test(text)
    ? []
    : [`${path}: does not open with a doc comment that says what ${basename(path)} is for`]
