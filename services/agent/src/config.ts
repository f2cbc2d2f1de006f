import { Milliseconds, SecretText, ServiceConfig } from '@althing/runtime/config'
import * as z from 'zod'

export const AgentConfig = ServiceConfig.extend({
  ALTHING_MODEL_PROVIDER: z.enum(['openai-compatible', 'openai', 'anthropic', 'google']).optional(),
  ALTHING_MODEL_BASE_URL: z.url().optional(),
  ALTHING_MODEL_API_KEY: SecretText.optional(),
  ALTHING_MODEL: z.string().optional(),
  ALTHING_TURN_LEASE_MS: Milliseconds.default(10_000),
  /** Rounds of one turn before it ends by itself. */
  ALTHING_ROUNDS: z.coerce.number().int().min(1).default(100),
  ALTHING_TURNS_AT_ONCE: z.coerce.number().int().min(1).default(16),
  /** Where the agents' Markdown files are; beside the program when not given. */
  ALTHING_AGENTS_DIR: z.string().optional(),
})
export type AgentConfig = z.infer<typeof AgentConfig>
