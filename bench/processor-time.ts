/** Processor time that the database server has used so far: a figure that busy neighbours disturb less than the clock's. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Place } from './place.ts'

const ticksPerSecond = 100

/** Seconds since the server started, all its processes together; 0 where there is no /proc to read it from. */
export async function serverSeconds({ pool }: Pick<Place, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  try {
    const server = Number(statOf(rows[0]!.pid)[1])
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => tryStat(name))
      .filter((stat) => stat !== undefined && Number(stat[1]) === server)
    const [, , , , , , , , , , , own, ownSystem, waited, waitedSystem] = statOf(server)
    const ended = [own, ownSystem, waited, waitedSystem].reduce((sum, ticks) => sum + Number(ticks), 0)
    const running = children.reduce((sum, stat) => sum + Number(stat![11]) + Number(stat![12]), 0)
    return (ended + running) / ticksPerSecond
  } catch {
    return 0
  }
}

/** What follows the name in /proc/<pid>/stat: state, parent, and so on. */
function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function tryStat(pid: string): string[] | undefined {
  try {
    return statOf(pid)
  } catch {
    return undefined
  }
}
