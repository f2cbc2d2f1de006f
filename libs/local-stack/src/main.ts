import { resolve } from 'node:path'
import { LocalFault } from './fault.ts'
import { startStack } from './stack.ts'
import { ensureUi } from './ui-build.ts'

/** `make start`: everything on this machine, until SIGINT or SIGTERM. */
const { env } = process
const say = (line: string) => console.log(line)
const ended = Promise.withResolvers<string | undefined>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => ended.resolve(undefined))

try {
  const port = portOf(env.PORT)
  ensureUi(say)
  await using stack = await startStack({
    dataDir: resolve(env.ALTHING_DATA || '.althing'),
    durable: true,
    say,
    host: env.HOST || '127.0.0.1',
    port,
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
    ...(env.NATS_URL ? { natsUrl: env.NATS_URL } : {}),
    onGivenUp: (name, tail) => ended.resolve(`${name} died three times in a row. Its last lines:\n${tail}`),
  })
  say(`Althing is ready at ${stack.webUrl}`)
  say(await firstSignIn(stack.webUrl))
  const fault = await ended.promise
  if (fault !== undefined) throw new LocalFault(fault)
  say('Stopping')
} catch (error) {
  console.error(error instanceof LocalFault ? error.message : error)
  process.exitCode = 1
}

function portOf(text: string | undefined): number {
  const port = Number(text || 8080)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new LocalFault(`PORT is "${text}", which is not a port number.`)
  }
  return port
}

async function firstSignIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/setup`)
  const { needed } = (await response.json()) as { needed: boolean }
  if (needed) return `First sign-in: open ${url}/setup and create the administrator.`
  return env.ALTHING_ADMIN_EMAIL
    ? `Sign in as ${env.ALTHING_ADMIN_EMAIL}.`
    : 'Sign in with your account. Ctrl+C stops everything.'
}
