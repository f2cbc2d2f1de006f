import { spawnSync } from 'node:child_process'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import type { Person } from '../harness/person.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** A Chromium on this machine; on Debian, as root, the distribution's package is installed when there is none. */
export function findChromium(say: (line: string) => void): string | undefined {
  const found = process.env.CHROMIUM ?? onPath()
  if (found !== undefined) return found
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  say('Getting Chromium for the browser tests')
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return onPath()
}

function onPath(): string | undefined {
  return NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(
    (path) => path !== '',
  )
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium(() => {})
  if (executablePath === undefined) throw new Error('there is no Chromium on this machine')
  return chromium.launch({ executablePath, args: FLAGS })
}

/** A window of somebody who has signed in already. */
export async function windowOf(browser: Browser, { url, headers }: Person): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(15_000)
  const cookies = String(headers.cookie)
    .split('; ')
    .map((pair) => pair.split('='))
  await context.addCookies(cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url })))
  return context
}
