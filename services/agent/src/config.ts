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
  /** Rounds of a sub-agent before it is ended. */
  ALTHING_SUB_AGENT_ROUNDS: z.coerce.number().int().min(1).default(20),
  /** What becomes of a call that may change something and that no approval rule speaks of. */
  ALTHING_APPROVALS: z.enum(['ask', 'allow']).default('ask'),
  /** How long an unattended turn waits for a person, then its call fails as unanswered. */
  ALTHING_UNATTENDED_WAIT_MS: Milliseconds.default(86_400_000),
  ALTHING_TURNS_AT_ONCE: z.coerce.number().int().min(1).default(16),
  /** Where the agents' Markdown files are; beside the program when not given. */
  ALTHING_AGENTS_DIR: z.string().optional(),
})
export type AgentConfig = z.infer<typeof AgentConfig>
