import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogLine, renderLogLine } from '@althing/protocol/model/log'
import type { Log } from '@althing/runtime/log'

const GENERATION_BYTES = 5 * 1024 * 1024

interface Named {
  readonly name: string
  readonly owner: string
  readonly scope: 'shared' | 'personal'
}

/** Two people may have servers of one name, so a personal one's file says whose it is. */
export function logFileOf({ name, owner, scope }: Named): string {
  return scope === 'shared' ? `${name}.log` : `${name}.${owner}.log`
}

/** Writes server logs as files of one folder, each with one older generation `.log.1`. */
export class FileSink {
  readonly #folder: string
  readonly #log: Log
  readonly #sizes = new Map<string, number>()
  #turn: Promise<void>

  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
    this.#turn = mkdir(folder, { recursive: true }).then(() => {})
  }

  write(server: Named, lines: readonly LogLine[]): void {
    const text = lines.map((line) => `${renderLogLine(line)}\n`).join('')
    this.#turn = this.#turn
      .then(() => this.#append(logFileOf(server), text))
      .catch((error) => {
        this.#log.warn({ err: error }, 'a server log could not be written to its file')
      })
  }

  async flush(): Promise<void> {
    await this.#turn
  }

  async #append(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name)
    const bytes = Buffer.byteLength(text)
    const size =
      this.#sizes.get(name) ??
      (await stat(path).then(
        (found) => found.size,
        () => 0,
      ))
    const full = size > 0 && size + bytes > GENERATION_BYTES
    if (full) await rename(path, `${path}.1`)
    await appendFile(path, text, { mode: 0o600 })
    this.#sizes.set(name, full ? bytes : size + bytes)
  }
}
