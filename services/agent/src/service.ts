import * as contracts from '@althing/protocol/bus/agent'
import * as unattended from '@althing/protocol/bus/agent-unattended'
import { payloadBucket } from '@althing/protocol/bus/gateway-relay'
import type { LiveEvent } from '@althing/protocol/model/live'
import { openBase } from '@althing/runtime/boot'
import { type Clock, systemClock } from '@althing/runtime/clock'
import { openHealth } from '@althing/runtime/http'
import { Objects } from '@althing/runtime/objects'
import { agentsFolder, readAgents } from './agents/agent-file.ts'
import { busGateway } from './bus-gateway.ts'
import type { AgentConfig } from './config.ts'
import { countCards } from './db/asked.ts'
import type { AgentTables } from './db/tables.ts'
import { createSession } from './handlers/create-session.ts'
import { deleteSession } from './handlers/delete-session.ts'
import { getSession } from './handlers/get-session.ts'
import { listModels } from './handlers/list-models.ts'
import { listSessions } from './handlers/list-sessions.ts'
import { listUnattendedTurns } from './handlers/list-unattended-turns.ts'
import { revokeGrant } from './handlers/revoke-grant.ts'
import { runTriage } from './handlers/run-triage.ts'
import { sendMessage } from './handlers/send-message.ts'
import { setDefaultModel } from './handlers/set-default-model.ts'
import { startUnattendedTurn } from './handlers/start-unattended-turn.ts'
import { stopTurn } from './handlers/stop-turn.ts'
import { Models } from './llm/models.ts'
import { startScriptedDemo } from './llm/scripted-demo.ts'
import { serveAsked } from './serve-asked.ts'
import { Worker } from './turn/worker.ts'

const TRIAGE_ROUNDS = 20

/** Builds the agent and starts it: database, bus, turns, handlers last. */
export async function createAgent(
  config: AgentConfig,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { instance, log, telemetry, db, bus, checks } = await openBase<AgentTables>(
    stack,
    'agent',
    'agent',
    config,
  )
  const agents = readAgents(agentsFolder(config.ALTHING_AGENTS_DIR))
  const scripted = stack.use(await startScriptedDemo())
  const models = new Models(db, config, scripted.url)
  bus.passOutsizedBy(new Objects(bus, payloadBucket))
  const gateway = busGateway(bus)
  const tell = (user: string, event: LiveEvent) => bus.publish(contracts.agentLive, { user }, event)
  const common = { clock, gateway, agents, endpoint: () => models.endpoint() }

  const onAsked = (user: string) => {
    countCards(db, user).then(
      (total) => tell(user, { type: 'inbox.changed', data: { total } }),
      (error: unknown) => log.warn({ err: error }, 'an inbox could not be counted'),
    )
  }
  const turns = stack.use(
    new Worker({
      ...common,
      db,
      log,
      worker: instance,
      tell,
      leaseMs: config.ALTHING_TURN_LEASE_MS,
      most: config.ALTHING_TURNS_AT_ONCE,
      rounds: config.ALTHING_ROUNDS,
      subAgentRounds: config.ALTHING_SUB_AGENT_ROUNDS,
      otherwise: config.ALTHING_APPROVALS,
      unattendedMs: config.ALTHING_UNATTENDED_WAIT_MS,
      onAsked,
    }),
  )
  const wake = (turn: string) => {
    turns.wake()
    bus.publish(contracts.turnQueued, {}, { turn_id: turn })
  }
  turns.start()
  stack.use(bus.listen(contracts.turnQueued, {}, () => turns.wake()))
  stack.use(bus.listen(contracts.turnStopRequested, {}, ({ turn_id }) => turns.stop(turn_id)))

  const mustHaveModel = () => models.endpoint()
  stack.use(serveAsked(bus, { db, onAsked, onWoken: wake }))

  const stop = stopTurn({
    db,
    onStop: (turn) => {
      turns.stop(turn)
      wake(turn)
      bus.publish(contracts.turnStopRequested, {}, { turn_id: turn })
    },
  })
  stack.use(bus.serve(contracts.createSession, createSession({ db, agents })))
  stack.use(bus.serve(contracts.listSessions, listSessions({ db })))
  stack.use(bus.serve(contracts.getSession, getSession({ db })))
  stack.use(
    bus.serve(
      contracts.deleteSession,
      deleteSession({ db, stop: (actor, session) => stop({ actor, session }) }),
    ),
  )
  stack.use(bus.serve(contracts.sendMessage, sendMessage({ db, tell, mustHaveModel, onQueued: wake })))
  stack.use(
    bus.serve(
      unattended.startUnattendedTurn,
      startUnattendedTurn({ db, agents, mustHaveModel, onQueued: wake }),
    ),
  )
  stack.use(bus.serve(unattended.listUnattendedTurns, listUnattendedTurns({ db })))
  stack.use(bus.serve(contracts.stopTurn, stop))
  stack.use(bus.serve(contracts.revokeGrant, revokeGrant({ db })))
  stack.use(bus.serve(contracts.listModels, listModels({ models })))
  stack.use(bus.serve(contracts.setDefaultModel, setDefaultModel({ models })))
  stack.use(bus.serveStream(contracts.runTriage, null, runTriage({ ...common, rounds: TRIAGE_ROUNDS })))
  stack.use(
    await openHealth({
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      telemetry,
      checks,
    }),
  )
  // Whoever hears that it is there must be able to ask it.
  await bus.check()
  log.info({ agents: agents.map((agent) => agent.name) }, 'ready')
  return stack.move()
}
