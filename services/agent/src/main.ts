import { readConfig } from '@althing/runtime/config'
import { run } from '@althing/runtime/run'
import { AgentConfig } from './config.ts'
import { createAgent } from './service.ts'

await run('agent', async () => createAgent(readConfig(AgentConfig)))
