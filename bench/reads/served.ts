/** What the bench and the servers that it starts tell each other. */

export type Usage = { processorSeconds: number; memoryMegabytes: number }

/** Tells the bench the port, then the processor time used so far whenever it asks, and stops when the bench lets go. */
export function announce(port: number, stop: () => Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const usage: Usage = {
      processorSeconds: (user + system) / 1e6,
      memoryMegabytes: process.resourceUsage().maxRSS / 1024,
    }
    process.send?.(usage)
  })
  process.once('disconnect', () => void stop())
  process.send?.(port)
}
