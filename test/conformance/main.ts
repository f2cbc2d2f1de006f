import { join } from 'node:path'
import { openServers } from './servers.ts'
import { REVISIONS, runSuite } from './suite.ts'

/**
 * `make conformance`: the official suite on both halves. The client half drives our MCP client; the server half asks
 * `/mcp/{server}` through the whole product, with a fixture of the same era behind it.
 */
const CLIENT = `node ${join(import.meta.dirname, 'client.ts')}`
const SCENARIO_TIMEOUT_MS = 90_000
const halves = process.argv[2] === undefined ? ['client', 'server'] : [process.argv[2]]

const outcomes: boolean[] = []
if (halves.includes('client')) {
  for (const revision of REVISIONS) {
    const args = ['--command', CLIENT, '--timeout', String(SCENARIO_TIMEOUT_MS)]
    outcomes.push(await runSuite('client', revision, args))
  }
}
if (halves.includes('server')) {
  await using servers = await openServers()
  for (const revision of REVISIONS) {
    const args = ['--url', servers.urlOf(revision), '--timeout', String(SCENARIO_TIMEOUT_MS)]
    outcomes.push(await runSuite('server', revision, args))
  }
}
if (outcomes.includes(false)) process.exitCode = 1
