import { readConfig } from '@althing/runtime/config'
import { run } from '@althing/runtime/run'
import { TicConfig } from './config.ts'
import { createTicWorker } from './service.ts'

await run('tic-worker', async () => createTicWorker(readConfig(TicConfig)))
