import { Milliseconds, ServiceConfig } from '@althing/runtime/config'
import * as z from 'zod'

export const TicConfig = ServiceConfig.extend({
  /** Seconds between the triage runs of a person who has pending events. */
  ALTHING_TIC_INTERVAL_SECS: z.coerce.number().min(0.1).default(900),
  ALTHING_TIC_LEASE_MS: Milliseconds.default(30_000),
  ALTHING_TIC_RETRY_FIRST_MS: Milliseconds.default(30_000),
  ALTHING_TIC_RETRY_LONGEST_MS: Milliseconds.default(900_000),
  /** How often due runs are looked for. */
  ALTHING_TIC_LOOK_MS: Milliseconds.default(500),
  /** How often the outcomes of running schedules are asked for. */
  ALTHING_SCHEDULE_FOLLOW_MS: Milliseconds.default(2_000),
  ALTHING_EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
  ALTHING_INTAKE_ACK_WAIT_MS: Milliseconds.default(30_000),
})
export type TicConfig = z.infer<typeof TicConfig>
