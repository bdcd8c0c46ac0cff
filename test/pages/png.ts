/** Reads a picture of three colours of eight bits, as poppler writes it. */
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'

export type Picture = { readonly width: number; readonly height: number; readonly colours: Uint8Array }

export function readPng(file: Buffer): Picture {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  assert.deepEqual([file[24], file[25], file[28]], [8, 2, 0], 'three colours of eight bits, not interlaced')
  const data: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(file.subarray(at + 8, at + 8 + length))
  }
  return { width, height, colours: unfilter(inflateSync(Buffer.concat(data)), 3 * width, height) }
}

const pixelBytes = 3

function unfilter(bytes: Buffer, rowBytes: number, height: number): Uint8Array {
  const plain = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * (rowBytes + 1)]!
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x
      const left = x >= pixelBytes ? plain[at - pixelBytes]! : 0
      const up = y > 0 ? plain[at - rowBytes]! : 0
      const corner = x >= pixelBytes && y > 0 ? plain[at - rowBytes - pixelBytes]! : 0
      plain[at] = bytes[y * (rowBytes + 1) + 1 + x]! + guess(filter, left, up, corner)
    }
  }
  return plain
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
