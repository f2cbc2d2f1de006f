import { Milliseconds, Names, SealingConfig } from '@althing/runtime/config'
import * as z from 'zod'

const Count = z.coerce.number().int().min(0)

export const GatewayConfig = SealingConfig.extend({
  ALTHING_DATA: z.string().default('.althing'),
  ALTHING_CALL_TIMEOUT_MS: Milliseconds.default(120_000),
  /** The longest that a call may take, however long people think about what it asks. */
  ALTHING_CALL_CAP_MS: Milliseconds.default(3_600_000),
  ALTHING_ELICITATION_TIMEOUT_MS: Milliseconds.default(300_000),
  ALTHING_MAX_MEDIA_BYTES: z.coerce.number().int().min(1024).default(33_554_432),
  ALTHING_START_TIMEOUT_MS: Milliseconds.default(120_000),
  ALTHING_PROBE_TIMEOUT_MS: Milliseconds.default(3_000),
  ALTHING_STOP_GRACE_MS: Milliseconds.default(500),
  ALTHING_MAX_MESSAGE_BYTES: z.coerce.number().int().min(1024).default(67_108_864),
  /** What becomes of a tool that changed, where its server does not say. */
  ALTHING_PIN_POLICY: z.enum(['hold', 'warn', 'accept']).default('hold'),
  /** Process variables that servers may use as `${NAME}`. */
  ALTHING_SERVER_VARIABLES: Names.default([]),
  /** Whether members may start programs on the host, and reach loopback and private networks. */
  ALTHING_MEMBER_STDIO: z.enum(['refuse', 'allow']).default('refuse'),
  ALTHING_MEMBER_PRIVATE_NETWORKS: z.enum(['refuse', 'allow']).default('refuse'),
  /** What a server gets that asks for nothing; `sandbox` is then also the least that any server gets. */
  ALTHING_ISOLATION: z.enum(['process', 'auto', 'sandbox']).default('process'),
  ALTHING_SANDBOX_NETWORK: z.enum(['host', 'none']).default('host'),
  /** Folders that every sandboxed server may read. */
  ALTHING_SANDBOX_READABLE: Names.default([]),
  /** Folders that sandboxed servers may write to when their arguments name them. */
  ALTHING_SANDBOX_WRITABLE: Names.default([]),
  /** What one server may use; 0 is without a limit. */
  ALTHING_CHILD_MAX_PROCESSES: Count.default(512),
  ALTHING_CHILD_MAX_OPEN_FILES: Count.default(4096),
  ALTHING_CHILD_MAX_MEMORY_BYTES: Count.default(4_294_967_296),
  /** Where server logs are also written as files; empty: on the bus only. */
  ALTHING_LOG_DIR: z.string().optional(),
  ALTHING_LEASE_MS: Milliseconds.default(5_000),
  ALTHING_LEASE_HEARTBEAT_MS: Milliseconds.default(1_500),
  /** Connections of single people are given up after this time without a call. */
  ALTHING_IDLE_CONNECTION_MS: Milliseconds.default(900_000),
  ALTHING_BACKOFF_FIRST_MS: Milliseconds.default(1_000),
  ALTHING_BACKOFF_LONGEST_MS: Milliseconds.default(60_000),
  PATH: z.string().default('/usr/bin:/bin'),
  HOME: z.string().default('/tmp'),
  LANG: z.string().default('C.UTF-8'),
})
export type GatewayConfig = z.infer<typeof GatewayConfig>
