import { type BucketContract, type BusContract, SERVICES, type ServiceName } from '@althing/protocol/define'
import { natsPermissions } from '@althing/runtime/permissions'

/** Above one MiB plus an envelope: larger payloads travel by reference. */
const MAX_PAYLOAD = '8MB'

export interface NatsConfig {
  readonly listen: string
  readonly storeDir: string
  /** Acknowledge after fsync. Servers before 2.10 do not know the key. */
  readonly syncAlways: boolean
  readonly adminPassword: string
  readonly passwords: Readonly<Record<ServiceName, string>>
  readonly monitor?: string
}

/** The server's configuration: one account, a user per service, permissions from the contracts. */
export function renderNatsConfig(
  config: NatsConfig,
  contracts: readonly BusContract[],
  buckets: readonly BucketContract[],
): string {
  const permissions = natsPermissions(contracts, buckets)
  const users = SERVICES.map((service) => {
    const { publish, subscribe } = permissions[service]
    return [
      `      { user: ${service}, password: ${config.passwords[service]}, permissions: {`,
      `          publish: { allow: ${list(publish)} }`,
      `          subscribe: { allow: ${list(subscribe)} } } }`,
    ].join('\n')
  })
  return `listen: "${config.listen}"
${config.monitor === undefined ? '' : `http: "${config.monitor}"\n`}max_payload: ${MAX_PAYLOAD}
max_pending: 64MB
# A process that hangs still holds its subscriptions, and questions would go to it: it is let go within ten seconds.
ping_interval: "3s"
ping_max: 2
write_deadline: "10s"
jetstream {
  store_dir: "${config.storeDir}"
${config.syncAlways ? '  sync_interval: always\n' : ''}}
accounts {
  APP {
    jetstream: enabled
    users = [
      { user: admin, password: ${config.adminPassword} }
${users.join('\n')}
    ]
  }
  SYS { users = [] }
}
system_account: SYS
`
}

function list(subjects: readonly string[]): string {
  return `[${subjects.map((subject) => `"${subject}"`).join(', ')}]`
}

const VARIABLES: Readonly<Record<ServiceName, string>> = {
  'mcp-gateway': '$GATEWAY_PASSWORD',
  agent: '$AGENT_PASSWORD',
  'tic-worker': '$TIC_PASSWORD',
  web: '$WEB_PASSWORD',
}

/** The same configuration for docker-compose.yml: the passwords come from a file that the keys job makes. */
export function composeNatsConfig(
  contracts: readonly BusContract[],
  buckets: readonly BucketContract[],
): string {
  const config = renderNatsConfig(
    {
      listen: '0.0.0.0:4222',
      monitor: '0.0.0.0:8222',
      storeDir: '/data',
      syncAlways: true,
      adminPassword: '$ADMIN_PASSWORD',
      passwords: VARIABLES,
    },
    contracts,
    buckets,
  )
  return `# Made by "make docs" from the contracts.\ninclude "keys/passwords.conf"\n${config}`
}

/** The file that `composeNatsConfig` includes. */
export function natsPasswordsFile(admin: string, passwords: Readonly<Record<ServiceName, string>>): string {
  const lines = SERVICES.map((service) => `${VARIABLES[service].slice(1)}: "${passwords[service]}"`)
  return `ADMIN_PASSWORD: "${admin}"\n${lines.join('\n')}\n`
}
