import { BUCKETS, BUS_CONTRACTS } from '@althing/protocol/catalogue'
import { readConfig, SecretText } from '@althing/runtime/config'
import { ensureStreams } from '@althing/runtime/streams'
import { connect } from '@nats-io/transport-node'
import * as z from 'zod'
import { migrate } from './migrate.ts'

/** The migrate job: brings Postgres and JetStream to what this version needs, then ends. */
const MigrateConfig = z.object({
  DATABASE_ADMIN_URL: z.string().min(1),
  DATABASE_ADMIN_PASSWORD: SecretText.optional(),
  DATABASE_GATEWAY_PASSWORD: SecretText,
  DATABASE_AGENT_PASSWORD: SecretText,
  DATABASE_TIC_PASSWORD: SecretText,
  DATABASE_WEB_PASSWORD: SecretText,
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().default('admin'),
  NATS_PASSWORD: SecretText,
})

const config = readConfig(MigrateConfig)
const applied = await migrate(
  config.DATABASE_ADMIN_URL,
  {
    gateway: config.DATABASE_GATEWAY_PASSWORD.reveal(),
    agent: config.DATABASE_AGENT_PASSWORD.reveal(),
    tic: config.DATABASE_TIC_PASSWORD.reveal(),
    web: config.DATABASE_WEB_PASSWORD.reveal(),
  },
  config.DATABASE_ADMIN_PASSWORD?.reveal(),
)
const nats = await connect({
  servers: config.NATS_URL,
  user: config.NATS_USER,
  pass: config.NATS_PASSWORD.reveal(),
})
await ensureStreams(nats, BUS_CONTRACTS, BUCKETS)
await nats.close()
process.stdout.write(applied.length === 0 ? 'Nothing to migrate.\n' : `Migrated: ${applied.join(', ')}\n`)
