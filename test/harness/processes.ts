import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The processes with `text` in their command line, as the kernel tells; zombies have none. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && told(pid, 'cmdline').includes(text))
}

export function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)$/m.exec(told(pid, 'status'))?.[1])
}

function told(pid: number, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Why no process can be put into a box of bubblewrap here; undefined when it can. */
export function whyNoSandbox(): string | undefined {
  const box = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev']
  const { status, error, stderr } = spawnSync('bwrap', [...box, 'true'], { encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}
