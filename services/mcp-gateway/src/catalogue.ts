import { existsSync, mkdirSync } from 'node:fs'
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
      locate('server-everything'),
      ['stdio'],
    ),
    offer('files', 'Files', `Reads and writes files in ${files}.`, locate('server-filesystem'), [files]),
    offer(
      'elicitation-demo',
      'Questions',
      'Asks you: for a secret, a yes or no, a form with every kind of field, an address.',
      locateOwn('elicitation-demo'),
      [],
    ),
    offer('memory', 'Memory', 'Remembers facts as a small graph.', locate('server-memory'), [], {
      MEMORY_FILE_PATH: join(data, 'memory.jsonl'),
    }),
  ].filter((entry) => entry !== undefined)
}

function offer(
  name: string,
  friendlyName: string,
  description: string,
  script: string | undefined,
  args: readonly string[],
  env?: Record<string, string>,
): Offer | undefined {
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

/** A server of our own: beside the bundle in an image, in its folder in a checkout. */
function locateOwn(name: string): string | undefined {
  const here = import.meta.dirname
  return [
    join(here, 'servers', name, 'main.js'),
    resolve(here, '../../../servers', name, 'src/main.ts'),
  ].find((path) => existsSync(path))
}
