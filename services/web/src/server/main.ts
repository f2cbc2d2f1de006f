import { readConfig } from '@althing/runtime/config'
import { run } from '@althing/runtime/run'
import { WebConfig } from './config.ts'
import { createWeb } from './service.ts'

await run('web', async () => createWeb(readConfig(WebConfig)))
