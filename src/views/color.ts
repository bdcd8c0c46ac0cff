/** How light a colour is to the eye: what decides which ink can be read on it. */

export type Channels = readonly [red: number, green: number, blue: number]

/** Takes `#` and six hexadecimal digits. */
export const channelsOf = (hex: string): Channels => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** From 0 for black to 1 for white: the relative luminance of the WCAG. */
export const luminance = ([red, green, blue]: Channels): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
