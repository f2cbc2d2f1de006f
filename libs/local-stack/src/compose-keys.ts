import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeKeys } from './data-folder.ts'
import { natsPasswordsFile } from './nats-config.ts'

/**
 * The keys job of docker-compose.yml: on the first start it makes every password and the master key, each into the
 * volume of the service that needs it; later starts change nothing.
 */
const HOME = '/keys'
const DONE = join(HOME, 'migrate', 'done')
const MASTER = join(HOME, 'mcp-gateway', 'master_key')

if (existsSync(DONE)) {
  process.stdout.write('The keys are there.\n')
} else {
  const keys = makeKeys()
  put('postgres', 'password', keys.databaseAdmin)
  put('nats', 'passwords.conf', natsPasswordsFile(keys.natsAdmin, keys.nats))
  put('migrate', 'admin_password', keys.databaseAdmin)
  put('migrate', 'gateway_password', keys.database['mcp-gateway'])
  put('migrate', 'agent_password', keys.database.agent)
  put('migrate', 'tic_password', keys.database['tic-worker'])
  put('migrate', 'web_password', keys.database.web)
  put('migrate', 'nats_password', keys.natsAdmin)
  for (const service of ['mcp-gateway', 'agent', 'tic-worker', 'web'] as const) {
    put(service, 'database_password', keys.database[service])
    put(service, 'nats_password', keys.nats[service])
  }
  put('mcp-gateway', 'master_key', keys.masterKey)
  put('web', 'auth_secret', keys.authSecret)
  put('migrate', 'done', '')
  process.stdout.write('Made the keys.\n')
}

for (const service of ['agent', 'tic-worker']) {
  if (!existsSync(join(HOME, service, 'master_key'))) put(service, 'master_key', readFileSync(MASTER, 'utf8'))
}

/** Only the container that mounts the volume can read it, whatever account it runs as. */
function put(volume: string, name: string, value: string): void {
  const folder = join(HOME, volume)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), value)
  chmodSync(join(folder, name), 0o444)
}
