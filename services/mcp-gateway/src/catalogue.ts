import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { CatalogueEntry } from '@althing/protocol/model/catalogue-entry'

type Offer = Omit<CatalogueEntry, 'registered'>

/** The servers that come with the product; those whose package is not installed are left out. */
export function readCatalogue(dataDir: string): Offer[] {
  const data = resolve(dataDir)
  const files = join(data, 'files')
  mkdirSync(files, { recursive: true })
  return [
    offer(
      'everything',
      'Everything',
      'The reference server: a bit of every feature, to try things out.',
      'server-everything',
      ['stdio'],
    ),
    offer('files', 'Files', `Reads and writes files in ${files}.`, 'server-filesystem', [files]),
    offer('memory', 'Memory', 'Remembers facts as a small graph.', 'server-memory', [], {
      MEMORY_FILE_PATH: join(data, 'memory.jsonl'),
    }),
  ].filter((entry) => entry !== undefined)
}

function offer(
  name: string,
  friendlyName: string,
  description: string,
  packageName: string,
  args: readonly string[],
  env?: Record<string, string>,
): Offer | undefined {
  const script = locate(packageName)
  if (script === undefined) return undefined
  return {
    name,
    friendly_name: friendlyName,
    description,
    registration: {
      name,
      friendly_name: friendlyName,
      description,
      transport: 'stdio',
      command: process.execPath,
      args: [script, ...args],
      ...(env === undefined ? {} : { env }),
    },
  }
}

function locate(packageName: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`@modelcontextprotocol/${packageName}/dist/index.js`)
  } catch {
    return undefined
  }
}
