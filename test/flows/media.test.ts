import type { CallResult } from '@althing/protocol/model/tool'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { everything } from '../harness/servers.ts'

let house: House
let ada: Person
let result: CallResult

beforeAll(async () => {
  house = await openHouse()
  ada = await Person.first(house.url)
  await ada.register(everything('everything'))
  result = (await ada.call('everything', 'get-tiny-image')).body
})
afterAll(() => house[Symbol.asyncDispose]())

// @requirement R22
it('keeps a picture and names it by a link', async () => {
  expect(result.media).toMatchObject([{ mime_type: 'image/png', bytes: expect.any(Number) }])
  expect(String(result.result)).toContain(result.media[0]?.url)
  expect(String(result.result)).not.toContain('iVBOR')
})

// @case B82: media and links that are pages or scripts
it('shows it to whoever called, in place and safely', async () => {
  const response = await ada.fetch(String(result.media[0]?.url))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('content-disposition')).toMatch(/^inline/)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBe(result.media[0]?.bytes)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
})

it('shows it to nobody else, and under no other name', async () => {
  const bob = await ada.colleague('bob@example.test', 'member')
  const url = String(result.media[0]?.url)
  expect((await bob.send('GET', url)).status).toBe(404)
  expect((await Person.anonymous(house.url).send('GET', url)).status).toBe(401)
  for (const other of [
    url.replace('.png', '.html'),
    '/api/mcp-media/..%2f..%2fetc%2fpasswd',
    '/api/mcp-media/x',
  ])
    expect((await ada.send('GET', other)).status).toBe(404)
})
