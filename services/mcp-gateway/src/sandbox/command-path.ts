import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** The file that a command means, as a shell would find it. Undefined when there is none that may be run. */
export function commandPath(command: string, path: string, cwd = process.cwd()): string | undefined {
  if (command.includes('/')) return runnable(resolve(cwd, command))
  for (const folder of path.split(delimiter)) {
    const found = isAbsolute(folder) ? runnable(join(folder, command)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function runnable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}
