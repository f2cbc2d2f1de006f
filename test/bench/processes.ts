import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** Milliseconds of CPU that processes and all their descendants have used. */
export function cpuMs(roots: readonly number[]): number {
  const stats = new Map<number, { parent: number; ticks: number }>()
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
      stats.set(pid, { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) })
    } catch {
      // It ended meanwhile.
    }
  }
  const family = new Set(roots)
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, { parent }] of stats) {
      if (!family.has(pid) && family.has(parent)) {
        family.add(pid)
        grown = true
      }
    }
  }
  const ticks = [...family].reduce((sum, pid) => sum + (stats.get(pid)?.ticks ?? 0), 0)
  return (ticks * 1000) / TICKS_A_SECOND
}

/** Bytes that a process holds in memory now. */
export function residentMib(pid: number | undefined): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}
