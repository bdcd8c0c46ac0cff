/** Text in columns of a fixed width, as terminals and letters in plain text show it: what each character takes, and where lines break. */

/** Scripts and signs that take two columns, as terminals agree on. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

type Cell = { text: string; width: number }

const cellsOf = (text: string): Cell[] =>
  [...graphemes.segment(text)].map(({ segment }) => ({ text: segment, width: wide.test(segment) ? 2 : 1 }))

export const widthOf = (text: string): number => cellsOf(text).reduce((sum, { width }) => sum + width, 0)

/** On one line: breaks, tabs and control characters become blanks, runs of them one. */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ').trim()

/** Lines of at most `width` columns, broken between words; a word that is longer is broken where it ends. Never empty. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of onOneLine(text).split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) <= width) {
      line += ` ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = split(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

function split(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let taken = 0
  for (const cell of cellsOf(word)) {
    if (taken + cell.width > width && piece !== '') {
      pieces.push(piece)
      piece = ''
      taken = 0
    }
    piece += cell.text
    taken += cell.width
  }
  return [...pieces, piece]
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(width - widthOf(text), 0)) + text

/** One text at each end of a line; where they do not fit side by side, two lines. */
export function atBothEnds(left: string, right: string, width: number): string[] {
  const gap = width - widthOf(left) - widthOf(right)
  if (left === '' || gap >= 1) return [left + ' '.repeat(Math.max(gap, 0)) + right]
  return [...wrap(left, width), ...wrap(right, width).map((line) => padStart(line, width))]
}
