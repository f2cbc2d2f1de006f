import * as agent from './bus/agent.ts'
import * as unattended from './bus/agent-unattended.ts'
import * as gateway from './bus/gateway.ts'
import * as elicitation from './bus/gateway-elicitation.ts'
import * as oauth from './bus/gateway-oauth.ts'
import * as relay from './bus/gateway-relay.ts'
import * as gatewaySecrets from './bus/gateway-secrets.ts'
import * as tic from './bus/tic.ts'
import * as schedules from './bus/tic-schedules.ts'
import type { AnyRoute, BucketContract, BusContract } from './define.ts'
import * as eventRoutes from './http/events.ts'
import * as identityRoutes from './http/identity.ts'
import * as inboxRoutes from './http/inbox.ts'
import * as liveRoutes from './http/live.ts'
import * as mediaRoutes from './http/media.ts'
import * as oauthRoutes from './http/oauth.ts'
import * as scheduleRoutes from './http/schedules.ts'
import * as secretRoutes from './http/secrets.ts'
import * as serverRoutes from './http/servers.ts'
import * as sessionRoutes from './http/sessions.ts'

/** Every contract of the bus, for generators and tests. A contract that is not here has no permissions. */
export const BUS_CONTRACTS: readonly BusContract[] = [
  gateway.registerServer,
  gateway.testServer,
  gateway.listServers,
  gateway.getServer,
  gateway.updateServer,
  gateway.deleteServer,
  gateway.restartServer,
  gateway.listTools,
  gateway.acceptTool,
  gateway.listCatalogue,
  gateway.ensureConnection,
  gateway.callTool,
  gateway.readLog,
  gatewaySecrets.setSecret,
  gatewaySecrets.listSecrets,
  gatewaySecrets.deleteSecret,
  gateway.serverNotified,
  gateway.logWritten,
  gateway.registryChanged,
  gateway.connectionChanged,
  gateway.gatewayLive,
  relay.requestServer,
  relay.awaitTask,
  relay.answerAsk,
  relay.listOffers,
  relay.offerChanged,
  relay.findMedia,
  elicitation.listElicitations,
  elicitation.findElicitation,
  elicitation.answerElicitation,
  oauth.startOauth,
  oauth.finishOauth,
  oauth.forgetOauth,
  agent.createSession,
  agent.listSessions,
  agent.getSession,
  agent.deleteSession,
  agent.sendMessage,
  agent.stopTurn,
  agent.revokeGrant,
  agent.listModels,
  agent.setDefaultModel,
  agent.runTriage,
  agent.turnQueued,
  agent.turnStopRequested,
  agent.agentLive,
  unattended.startUnattendedTurn,
  unattended.listUnattendedTurns,
  tic.listEvents,
  tic.listBriefings,
  tic.markBriefing,
  tic.listBatches,
  tic.runBatch,
  tic.ticLive,
  schedules.listSchedules,
  schedules.createSchedule,
  schedules.updateSchedule,
  schedules.deleteSchedule,
  schedules.runSchedule,
  schedules.listScheduleRuns,
]

/** Every object store. */
export const BUCKETS: readonly BucketContract[] = [relay.mediaBucket, relay.payloadBucket]

/** Every HTTP route, for the OpenAPI document and the authorization test. */
export const ROUTES: readonly AnyRoute[] = [
  identityRoutes.getSetup,
  identityRoutes.setUp,
  identityRoutes.signIn,
  identityRoutes.signOut,
  identityRoutes.getAuthSession,
  identityRoutes.getMe,
  identityRoutes.listApiKeys,
  identityRoutes.createApiKey,
  identityRoutes.deleteApiKey,
  identityRoutes.listUsers,
  identityRoutes.createUser,
  identityRoutes.updateUser,
  identityRoutes.deleteUser,
  identityRoutes.listAudit,
  serverRoutes.listServers,
  serverRoutes.registerServer,
  serverRoutes.testServer,
  serverRoutes.listCatalogue,
  serverRoutes.getServer,
  serverRoutes.updateServer,
  serverRoutes.deleteServer,
  serverRoutes.restartServer,
  serverRoutes.listTools,
  serverRoutes.acceptTool,
  serverRoutes.callTool,
  serverRoutes.listResources,
  serverRoutes.readResource,
  serverRoutes.listPrompts,
  serverRoutes.getPrompt,
  serverRoutes.readLog,
  secretRoutes.listSecrets,
  secretRoutes.getSecret,
  secretRoutes.setSecret,
  secretRoutes.deleteSecret,
  oauthRoutes.startOauth,
  oauthRoutes.forgetOauth,
  oauthRoutes.finishOauth,
  oauthRoutes.getOauthClient,
  sessionRoutes.createSession,
  sessionRoutes.listSessions,
  sessionRoutes.getSession,
  sessionRoutes.deleteSession,
  sessionRoutes.sendMessage,
  sessionRoutes.stopTurn,
  sessionRoutes.revokeGrant,
  sessionRoutes.listModels,
  sessionRoutes.setDefaultModel,
  inboxRoutes.getInbox,
  inboxRoutes.resolveElicitation,
  inboxRoutes.markBriefing,
  inboxRoutes.listBriefings,
  eventRoutes.listEvents,
  eventRoutes.listBatches,
  eventRoutes.runTriage,
  scheduleRoutes.listSchedules,
  scheduleRoutes.createSchedule,
  scheduleRoutes.updateSchedule,
  scheduleRoutes.deleteSchedule,
  scheduleRoutes.runSchedule,
  scheduleRoutes.listScheduleRuns,
  mediaRoutes.getMedia,
  liveRoutes.followLive,
  liveRoutes.health,
  liveRoutes.ready,
]
