import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureUi } from '@althing/local-stack/ui-build'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { openModel, type ScriptedModel } from '../harness/model.ts'
import { Person } from '../harness/person.ts'
import { rounds, roundsScript, type ScriptedCall, scripted } from '../harness/rounds.ts'
import { notifier } from '../harness/servers.ts'
import { openBrowser, windowOf } from './chromium.ts'

let model: ScriptedModel
let house: House
let browser: Browser
let page: Page
let other: Page
let ada: Person
let folder: string

beforeAll(async () => {
  ensureUi(() => {})
  model = await openModel(roundsScript)
  ;[house, browser] = await Promise.all([openHouse({ env: model.env }), openBrowser()])
  ada = await Person.first(house.url)
  await ada.register(notifier('work'))
  folder = await mkdtemp(join(house.dataDir, 'files-'))
  const context = await windowOf(browser, ada)
  ;[page, other] = await Promise.all([context.newPage(), context.newPage()])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([house?.[Symbol.asyncDispose](), model?.[Symbol.asyncDispose]()])
})

async function ask(...list: readonly (readonly ScriptedCall[])[]): Promise<string> {
  const chat = await ada.openChat()
  await ada.send('POST', `/api/sessions/${chat}/messages`, { content: rounds(...list) })
  return chat
}

// @requirement R61
it('allows a call with other arguments from the inbox; the second tab is told that it came late', async () => {
  const file = join(folder, 'edited')
  await ask(
    [scripted('activate_tools', { groups: ['work'] })],
    [scripted('mcp__work__append', { file, line: 'from the model' })],
  )
  await page.goto(`${house.url}/inbox`)
  const card = page.getByRole('article', { name: 'Allow a call to work?' })
  await card.getByText('from the model').waitFor()
  // The other tab has heard of the card and nothing since.
  await other.goto(`${house.url}/inbox`)
  const late = other.getByRole('article', { name: 'Allow a call to work?' })
  await late.getByRole('button', { name: 'Refuse' }).click()
  await other.route('**/api/inbox', (route) => route.abort())

  await card.getByRole('button', { name: 'Edit arguments' }).click()
  const args = card.getByLabel('Arguments as JSON')
  await args.fill('no JSON')
  await card.getByRole('button', { name: 'Allow with these' }).click()
  await card.getByText('This is not a JSON object.').waitFor()
  await args.fill(JSON.stringify({ file, line: 'from Ada' }))
  await card.getByRole('button', { name: 'Allow with these' }).click()
  await card.waitFor({ state: 'detached' })
  await late.getByRole('button', { name: 'Refuse this call' }).click()
  await other
    .getByText(/It was (changed or answered|answered or withdrawn)/)
    .first()
    .waitFor()
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('from Ada\n')
})

// @requirement R63
it('answers a question in the chat, in place', async () => {
  const question = { question: 'Tea or coffee?', options: ['Tea', 'Coffee'] }
  const chat = await ask([scripted('ask_user', question)])
  await page.goto(`${house.url}/chat/${chat}`)
  await page.getByText('Tea or coffee?').last().waitFor()
  await page.getByRole('button', { name: 'Coffee', exact: true }).click()
  await page.getByText(/done: .*Coffee/).waitFor()
})

// @requirement R64
it('shows the work of a sub-agent inside the call that began it', async () => {
  const task = { agent: 'generalist', prompt: 'say something' }
  const chat = await ask([scripted('dispatch_agent', task)])
  await page.goto(`${house.url}/chat/${chat}`)
  await page.getByText(/^done: /).waitFor()
  const call = page.getByRole('article', { name: /^Tool call dispatch_agent/ })
  await call.getByText('Its work: 1 step').click()
  await call.getByText('Nothing to do.').first().waitFor()
})
