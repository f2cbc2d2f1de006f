import { readConfig } from '@althing/runtime/config'
import { run } from '@althing/runtime/run'
import { GatewayConfig } from './config.ts'
import { createGateway } from './service.ts'

await run('mcp-gateway', async () => createGateway(readConfig(GatewayConfig)))
