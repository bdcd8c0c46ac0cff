/** How figures are gathered and shown. */

export const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Seconds of wall time. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const start = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - start) / 1000 }
}

export const whole = (figure: number): string => Math.round(figure).toLocaleString('en-US')
export const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

/** The middle of several runs, and how far apart they lay. */
export const spread = (figures: readonly number[], unit: string): string =>
  figures.length === 1
    ? `${whole(figures[0]!)} ${unit}`
    : `${whole(median(figures))} ${unit} (${whole(Math.min(...figures))} to ${whole(Math.max(...figures))})`

export const print = (label: string, text: string): void => {
  process.stdout.write(`${label.padEnd(52)} ${text}\n`)
}
