import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalFault, type Say } from './fault.ts'

export interface NatsBinary {
  readonly path: string
  readonly version: string
}

const WANTED = [2, 11] as const
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Finds a nats-server, or gets one: `$NATS_SERVER_BIN`, PATH, the cache in `.tools`, the distribution's newest
 * package (its signature checked, unpacked beside the others, not installed), Homebrew, the distribution's own.
 * Throws a LocalFault that says what to install when all of that fails.
 */
export function findNatsServer(toolsDir: string, say: Say): NatsBinary {
  const named = process.env.NATS_SERVER_BIN
  if (named) {
    const binary = probe(named)
    if (binary) return binary
    throw new LocalFault(`NATS_SERVER_BIN names ${named}, which is not a nats-server that runs here.`)
  }
  const cached = join(toolsDir, 'nats-server', 'nats-server')
  return (
    recent(probe('nats-server')) ??
    recent(probe(cached)) ??
    fromDebian(toolsDir, cached, say) ??
    fromBrew(say) ??
    fromApt(say) ??
    nothing()
  )
}

function nothing(): never {
  throw new LocalFault(
    'There is no NATS server and no way to get one here. Install nats-server 2.11 or later (https://nats.io/download), put it on PATH or name it in NATS_SERVER_BIN, or set NATS_URL to one that runs.',
  )
}

function probe(path: string): NatsBinary | undefined {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const version = /v?(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
  return status === 0 && version !== undefined ? { path, version } : undefined
}

function recent(binary: NatsBinary | undefined): NatsBinary | undefined {
  return binary && isAtLeast(binary.version, WANTED) ? binary : undefined
}

export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

/** Debian and Ubuntu: the newest package of the archive, checked by apt against the archive's key. */
function fromDebian(toolsDir: string, target: string, say: Say): NatsBinary | undefined {
  const mirror = existsSync(KEYRING) ? debianMirror() : undefined
  if (mirror === undefined) return undefined
  say('Getting nats-server: the newest Debian package, unpacked into .tools')
  const work = join(toolsDir, 'nats-server')
  // Of its own, because several starts may fetch at the same time.
  const apt = join(work, `apt-${process.pid}`)
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true })
  const sources = join(apt, 'sources.list')
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${mirror} sid main\n`)
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
  ].flatMap((option) => ['-o', option])
  try {
    if (!ran('apt-get', [...options, 'update'], apt)) return undefined
    if (!ran('apt-get', [...options, 'download', 'nats-server'], apt)) return undefined
    const archive = readdirSync(apt).find((name) => name.endsWith('.deb'))
    if (archive === undefined || !ran('dpkg-deb', ['-x', archive, 'root'], apt)) return undefined
    const [binary] = globSync(join(apt, 'root/usr/{bin,sbin}/nats-server'))
    if (binary === undefined) return undefined
    renameSync(binary, target)
    return recent(probe(target))
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}

function debianMirror(): string | undefined {
  const files = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*.{list,sources}')]
  for (const file of files) {
    if (!existsSync(file)) continue
    const address = /https?:\/\/\S+\/debian\/?(?=\s|$)/m.exec(readFileSync(file, 'utf8'))?.[0]
    if (address) return address
  }
  return undefined
}

function fromBrew(say: Say): NatsBinary | undefined {
  if (process.platform !== 'darwin' || spawnSync('brew', ['--version']).status !== 0) return undefined
  say('Getting nats-server: brew install nats-server')
  return ran('brew', ['install', 'nats-server'], '/') ? recent(probe('nats-server')) : undefined
}

/** An older server still works: without fsync before acknowledgement, which is said. */
function fromApt(say: Say): NatsBinary | undefined {
  const present = probe('nats-server')
  if (present) {
    say(
      `Using nats-server ${present.version}: before 2.11 an acknowledged event may be lost when the machine loses power`,
    )
    return present
  }
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  say("Getting nats-server: the distribution's own package")
  if (!ran('apt-get', ['install', '-y', '--no-install-recommends', 'nats-server'], '/')) return undefined
  return probe('nats-server')
}

function ran(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: 'ignore', timeout: 120_000 }).status === 0
}
