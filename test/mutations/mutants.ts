/** Small wrongs that could be done to a source file: one at a time, in code only, never in comments, texts, imports or types. */
import { stripTypeScriptTypes } from 'node:module'

export type Mutant = { file: string; line: number; what: string; source: string }

type Wrong = { at: number; length: number; put: string; what: string }

/** Blanks out, at the same places, everything that is no code that runs. */
function codeOf(source: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
  const told =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?\s])\/(?![*/ ])(?:\\.|\[[^\]\n]*\]|[^/\\\n])+\/[a-z]*/g
  const untold = source.replace(told, (text) => (text.startsWith('`') ? withoutWords(text) : blank(text)))
  return untold
    .replace(/^(?:import|export \* from|export \{)[\s\S]*?(?=\n\S|\n\n|$)/gm, blank)
    .replace(/^(?:export )?type [\s\S]*?(?=\n(?![ |}])|$)/gm, blank)
    .replace(/^\}[^\n]*$/gm, blank)
}

/** Of a template, what is put into it. */
const withoutWords = (template: string): string =>
  template.replace(/\$\{([^{}]*)\}|[^\n]/g, (_, inner: string | undefined) =>
    inner === undefined ? ' ' : `  ${inner} `,
  )

/** What stands in the code, and what is put in its place. */
const swaps: readonly (readonly [RegExp, string, string])[] = [
  [/ === /g, ' !== ', 'equal'],
  [/ !== /g, ' === ', 'not equal'],
  [/ <= /g, ' < ', 'at most'],
  [/ >= /g, ' > ', 'at least'],
  [/ < /g, ' <= ', 'less'],
  [/ > /g, ' >= ', 'more'],
  [/ && /g, ' || ', 'and'],
  [/ \|\| /g, ' && ', 'or'],
  [/ \?\? /g, ' && ', 'or else'],
  [/ \+ /g, ' - ', 'plus'],
  [/ - /g, ' + ', 'minus'],
  [/ \* /g, ' / ', 'times'],
  [/ \/ /g, ' * ', 'divided by'],
  [/\btrue\b/g, 'false', 'true'],
  [/\bfalse\b/g, 'true', 'false'],
  [/\bMath\.max\b/g, 'Math.min', 'greatest'],
  [/\bMath\.min\b/g, 'Math.max', 'least'],
  [/\.some\(/g, '.every(', 'some'],
  [/\.every\(/g, '.some(', 'every'],
  [/(?<=[\s([])!(?=[\w(])/g, '', 'not'],
]

/** Every one of them, in the order of the file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = codeOf(source)
  const wrongs: Wrong[] = [
    ...swaps.flatMap(([pattern, put, what]) =>
      [...code.matchAll(pattern)].map(({ index, 0: found }) => ({ at: index, length: found.length, put, what })),
    ),
    ...[...code.matchAll(/(?<![\w.$])\d[\d_]*n?(?![\w.])/g)].map(({ index, 0: found }) => ({
      ...{ at: index, length: found.length, put: nextNumber(found) },
      what: `the number ${found}`,
    })),
    ...[...code.matchAll(/\bif \(/g)]
      .map(({ index }) => negated(code, source, index + 3))
      .filter((wrong) => wrong !== undefined),
    ...[...code.matchAll(/^ +(?:[\w]+\.)*\w+\([^\n]*\)$/gm)]
      .filter(({ 0: found }) => isBalanced(found) && !/^ +(?:if|for|while|switch|return|throw|super)\b/.test(found))
      .map(({ index, 0: found }) => ({ at: index, length: found.length, put: '', what: 'a call' })),
    ...[...code.matchAll(/^ +(?:if \(.*\) )?return ([^\n]+)$/gm)]
      .filter(({ 1: value }) => isBalanced(value!) && !/^(?:undefined|null)$/.test(value!))
      .map(({ index, 0: found, 1: value }) => ({
        ...{ at: index + found.length - value!.length, length: value!.length, put: 'undefined' },
        what: 'an answer',
      })),
  ]
  return wrongs
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, length, put, what }) => ({
      file,
      line: source.slice(0, at).split('\n').length,
      what,
      source: source.slice(0, at) + put + source.slice(at + length),
    }))
    .filter((mutant) => reads(mutant.source))
}

const nextNumber = (text: string): string =>
  text.endsWith('n')
    ? `${BigInt(text.slice(0, -1).replaceAll('_', '')) + 1n}n`
    : String(Number(text.replaceAll('_', '')) + 1)

/** Turns a condition round; undefined when its end cannot be found. */
function negated(code: string, source: string, open: number): Wrong | undefined {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) {
      const put = `(!${source.slice(open, at + 1)})`
      return { at: open, length: at - open + 1, put, what: 'a condition' }
    }
  }
  return undefined
}

/** Whether it is still a program; the other wrongs would be noticed by anybody. */
function reads(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if ('([{'.includes(letter)) depth += 1
    if (')]}'.includes(letter)) depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
