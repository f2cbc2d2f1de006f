import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureUi } from '@althing/local-stack/ui-build'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { notifier } from '../harness/servers.ts'
import { openBrowser } from './chromium.ts'

/** Where pictures go: outside the repository, for whoever looks at a run. */
const PICTURES = process.env.ALTHING_PICTURES ?? join(process.env.TMPDIR ?? '/tmp', 'althing-pictures')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let house: House
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true })
  ensureUi(() => {})
  ;[house, browser] = await Promise.all([
    openHouse({ env: { ALTHING_TIC_INTERVAL_SECS: '1' } }),
    openBrowser(),
  ])
  // The page's own policy forbids foreign scripts; axe is let in by the test alone.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    bypassCSP: true,
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => faults.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await house?.[Symbol.asyncDispose]()
})

async function picture(name: string): Promise<void> {
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

/** Every finding of axe on the page as it is, in the light and the dark scheme. */
async function findings(): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(AXE)
    const ids = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      return (await axe.run()).violations.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`)
    })
    found.push(...ids.map((id) => `${colorScheme}: ${id}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

// @requirement R16
it('sets the instance up and signs the administrator in', async () => {
  await page.goto(house.url)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.test')
  await page.getByLabel('Password').fill('correct horse battery')
  expect(await findings()).toEqual([])
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByRole('link', { name: 'Servers' }).waitFor()
})

it('signs out, and in again with the password', async () => {
  await page.getByRole('link', { name: 'Ada' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await findings()).toEqual([])
  await page.getByLabel('E-mail').fill('ada@example.test')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Servers' }).waitFor()
})

it('says how to connect a model, and offers the scripted demo', async () => {
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByText('ALTHING_MODEL_BASE_URL').waitFor()
  expect(await findings()).toEqual([])
  await page.getByRole('button', { name: 'Use scripted demo (no AI)' }).click()
  await page.getByText('ALTHING_MODEL_BASE_URL').waitFor({ state: 'hidden' })
})

it('adds a server with one click', async () => {
  await page.getByRole('link', { name: 'Servers' }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'The reference server' })
  await card.getByRole('button', { name: /^Add/ }).click()
  await page
    .getByRole('link', { name: /everything/i })
    .first()
    .waitFor()
  await page.getByText('running', { exact: false }).first().waitFor()
  // The toast that tells of it is part of the page while it stands.
  await page.getByText('Everything is running').waitFor()
  await page.mouse.move(0, 0)
  await page.getByRole('button', { name: 'Close' }).waitFor({ timeout: 3000 })
  expect(await findings()).toEqual([])
  await picture('servers')
})

it('registers a server by the form', async () => {
  const { command, args } = notifier('mail') as { command: string; args: string[] }
  await page.getByRole('link', { name: 'Servers' }).click()
  await page
    .getByRole('button', { name: 'Add server' })
    .or(page.getByRole('link', { name: 'Add server' }))
    .first()
    .click()
  await page.getByLabel('Name', { exact: true }).fill('mail')
  await page.getByLabel('Command').fill(command)
  await page.getByLabel('Arguments').fill(args.join('\n'))
  expect(await findings()).toEqual([])
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/It works: \d+ tools/).waitFor()
  await page.getByRole('button', { name: 'Add server' }).last().click()
  await page.getByRole('heading', { name: 'mail' }).waitFor()
})

it('calls a tool by hand', async () => {
  await page.getByRole('tab', { name: 'Tools' }).waitFor()
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.getByLabel('Tool', { exact: true }).selectOption('echo')
  await page.getByRole('textbox', { name: 'text' }).fill('hello from the form')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByText('hello from the form').last().waitFor()
  expect(await findings()).toEqual([])
  await picture('console')
})

it('chats: the agent activates the server, calls the tool and answers', async () => {
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('use everything: echo hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('everything answered:').waitFor()
  await page.getByText('Echo: hello').last().waitFor()
  expect(await findings()).toEqual([])
  await picture('chat')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await picture('chat-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('shows the event and its briefing', async () => {
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill('use mail: notify {"method":"event/new_email","payload":{"subject":"Lunch"}}')
  await page.getByRole('button', { name: 'Send' }).click()
  // It may change something, so it waits for the person, in place.
  await page.getByText('May it run?').waitFor()
  expect(await findings()).toEqual([])
  await picture('approval')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('mail answered:').waitFor()
  await page.getByRole('link', { name: /Inbox/ }).click()
  await page
    .getByText(/One event from mail/)
    .first()
    .waitFor()
  expect(await findings()).toEqual([])
  await picture('inbox')
  await page.getByRole('link', { name: 'Events' }).click()
  await page
    .getByText('Lunch')
    .first()
    .waitFor()
    .finally(() => picture('events'))
  expect(await findings()).toEqual([])
  await picture('events')
})

it('shows the log of a server', async () => {
  await page.goto(`${house.url}/servers/mail?tab=log`)
  await page
    .getByText(/running: \d+ tools/)
    .first()
    .waitFor()
  expect(await findings()).toEqual([])
  await picture('log')
})

it('had no fault in any page', () => {
  expect(faults).toEqual([])
})
