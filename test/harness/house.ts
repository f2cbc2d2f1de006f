import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, type StackOptions, startStack } from '@althing/local-stack/stack'

export interface House extends AsyncDisposable {
  readonly stack: Stack
  readonly url: string
  readonly dataDir: string
}

/** The whole product on free ports, in a folder of its own that goes away with it. */
export async function openHouse(options: Partial<StackOptions> = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'althing-test-'))
  const stack = await startStack({
    dataDir,
    durable: false,
    say: () => {},
    ...options,
    env: { LOG_LEVEL: 'info', ...options.env },
  })
  return {
    stack,
    url: stack.webUrl,
    dataDir,
    async [Symbol.asyncDispose]() {
      await stack[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
