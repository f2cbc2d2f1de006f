import { join } from 'node:path'
import { ensureUi } from '@althing/local-stack/ui-build'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { openBrowser, windowOf } from './chromium.ts'

const ASKING = join(import.meta.dirname, '../fixtures/asking.ts')

let house: House
let browser: Browser
let page: Page
let ada: Person

beforeAll(async () => {
  ensureUi(() => {})
  ;[house, browser] = await Promise.all([openHouse(), openBrowser()])
  ada = await Person.first(house.url)
  const args = [ASKING, 'modern']
  await ada.register({ name: 'asking', transport: 'stdio', command: process.execPath, args })
  page = await (await windowOf(browser, ada)).newPage()
})
afterAll(async () => {
  await browser?.close()
  await house?.[Symbol.asyncDispose]()
})

async function answered(question: Record<string, unknown>, act: () => Promise<void>): Promise<unknown> {
  await page.goto(`${house.url}/inbox`)
  const calling = ada.call('asking', 'ask', question)
  await page.getByRole('article', { name: 'asking asks' }).waitFor()
  await act()
  await page.getByRole('article', { name: 'asking asks' }).waitFor({ state: 'detached' })
  return JSON.parse(String((await calling).body.result))
}

// @requirement R18
it('shows a form with a masked field and choices, and sends what was chosen', async () => {
  const properties = {
    password: { type: 'string', format: 'password', title: 'Password' },
    color: {
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
      title: 'Color',
    },
    days: { type: 'array', items: { enum: ['mon', 'tue', 'wed'] }, default: ['mon'], title: 'Days' },
    times: { type: 'integer', default: 0, title: 'Times' },
  }
  const schema = { type: 'object', properties, required: ['password', 'color'] }
  const answer = await answered({ message: 'Sign in to the printer', requestedSchema: schema }, async () => {
    await page.getByText('Sign in to the printer').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This is required.').first().waitFor()
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
    await page.getByLabel('Password').fill('s3cret')
    await page.getByLabel('Color').selectOption({ label: 'Green' })
    await page.getByLabel('wed').check()
    await page.getByRole('button', { name: 'Send' }).click()
  })
  const content = { password: 's3cret', color: 'g', days: ['mon', 'wed'], times: 0 }
  expect(answer).toEqual({ action: 'accept', content })
})

it('asks yes or no where there is nothing to fill in', async () => {
  const no = await answered({ message: 'Delete everything?' }, () =>
    page.getByRole('button', { name: 'No' }).click(),
  )
  expect(no).toEqual({ action: 'decline' })
  const yes = await answered({ message: 'Go on?' }, () => page.getByRole('button', { name: 'Yes' }).click())
  expect(yes).toEqual({ action: 'accept', content: {} })
})

it('shows an address whole, and opens nothing by itself', async () => {
  const url = 'https://example.test/consent?x=1'
  const answer = await answered(
    { mode: 'url', message: 'Consent there', url, elicitationId: 'e' },
    async () => {
      expect(await page.getByText(url).count()).toBe(1)
      await page.getByRole('button', { name: 'I have done it' }).click()
    },
  )
  expect(answer).toEqual({ action: 'accept' })
})
