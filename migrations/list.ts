import type { Migration } from 'kysely/migration'
import * as gatewayBase from './0001_gateway_base.ts'
import * as agentBase from './0002_agent_base.ts'
import * as ticBase from './0003_tic_base.ts'
import * as webBase from './0004_web_base.ts'
import * as gatewayVault from './0005_gateway_vault.ts'
import * as gatewayIsolation from './0006_gateway_isolation.ts'
import * as gatewayOAuth from './0007_gateway_oauth.ts'
import * as gatewayPins from './0008_gateway_pins.ts'
import * as gatewayCalls from './0009_gateway_calls.ts'
import * as agentTurns from './0011_agent_turns.ts'
import * as ticSchedules from './0016_tic_schedules.ts'
import * as agentUnattended from './0017_agent_unattended.ts'
import * as gatewayQuestionOrder from './0018_gateway_question_order.ts'

/** Every migration in its order, named as its file: imported one by one, so that a bundle holds them. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_gateway_base': gatewayBase,
  '0002_agent_base': agentBase,
  '0003_tic_base': ticBase,
  '0004_web_base': webBase,
  '0005_gateway_vault': gatewayVault,
  '0006_gateway_isolation': gatewayIsolation,
  '0007_gateway_oauth': gatewayOAuth,
  '0008_gateway_pins': gatewayPins,
  '0009_gateway_calls': gatewayCalls,
  '0016_tic_schedules': ticSchedules,
  '0017_agent_unattended': agentUnattended,
  '0018_gateway_question_order': gatewayQuestionOrder,
  '0011_agent_turns': agentTurns,
}
