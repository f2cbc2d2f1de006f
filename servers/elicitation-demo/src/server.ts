import {
  type CallToolResult,
  type ElicitRequestFormParams,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { EVERY_FIELD } from './form.ts'

/** The one question of each tool. */
const KEY = 'answer'

/** A server whose tools ask the person who calls them, in the way of the protocol version that is spoken. */
export function createDemo(): McpServer {
  const server = new McpServer(
    { name: 'elicitation-demo', version: '0.1.0' },
    { capabilities: { tools: {} } },
  )

  server.registerTool(
    'ask_secret',
    {
      title: 'Ask for a secret',
      description: 'Asks for a password and tells how long it is, never what it is.',
      inputSchema: reason('What the secret is for'),
      annotations: { readOnlyHint: true },
    },
    async ({ reason = 'this demo' }, context) =>
      ask(context, `A password for ${reason}`, PASSWORD, (answer) => {
        const { length } = [...String(answer.password ?? '')]
        return `A secret of ${length} characters came; it was not kept.`
      }),
  )

  server.registerTool(
    'confirm',
    {
      title: 'Ask for a confirmation',
      description: 'Asks yes or no.',
      inputSchema: reason('What is to be confirmed'),
      annotations: { readOnlyHint: true },
    },
    async ({ reason = 'go on' }, context) =>
      ask(context, `Do you want to ${reason}?`, NOTHING, () => 'Confirmed.'),
  )

  server.registerTool(
    'fill_form',
    {
      title: 'Ask with a form',
      description: 'Asks with a form that has one field of every kind, and gives back what was filled in.',
      inputSchema: reason('What the form is for'),
      annotations: { readOnlyHint: true },
    },
    async ({ reason = 'Tell me about your visit.' }, context) =>
      ask(context, reason, EVERY_FIELD, (answer) => JSON.stringify(answer)),
  )

  server.registerTool(
    'visit_url',
    {
      title: 'Ask to visit an address',
      description: 'Asks to open an address in the browser, and goes on when that is accepted.',
      inputSchema: fromJsonSchema<{ url?: string }>({
        type: 'object',
        properties: { url: { type: 'string', description: 'The address; an example when left out' } },
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ url = 'https://example.com/' }, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, KEY)
      if (answer.kind === 'elicit') return text(answer.action === 'accept' ? 'Visited.' : said(answer.action))
      return inputRequired({
        inputRequests: { [KEY]: inputRequired.elicitUrl({ message: 'Please open this address.', url }) },
      })
    },
  )
  return server
}

type Form = ElicitRequestFormParams['requestedSchema']

const NOTHING: Form = { type: 'object', properties: {} }
const PASSWORD: Form = {
  type: 'object',
  // The word "password" in a name and this format are what hosts mask.
  properties: { password: { type: 'string', title: 'Password', format: 'password' } as never },
  required: ['password'],
}

function reason(description: string) {
  return fromJsonSchema<{ reason?: string }>({
    type: 'object',
    properties: { reason: { type: 'string', description, maxLength: 200 } },
  })
}

/** Asks at the first call, and gives the result once the call comes again with the answer. */
function ask(
  context: ServerContext,
  message: string,
  requestedSchema: Form,
  onAccept: (answer: Readonly<Record<string, unknown>>) => string,
): CallToolResult | InputRequiredResult {
  const answer = inputResponse(context.mcpReq.inputResponses, KEY)
  if (answer.kind !== 'elicit') {
    return inputRequired({ inputRequests: { [KEY]: inputRequired.elicit({ message, requestedSchema }) } })
  }
  return text(answer.action === 'accept' ? onAccept(answer.content ?? {}) : said(answer.action))
}

function said(action: 'decline' | 'cancel'): string {
  return action === 'decline' ? 'Declined.' : 'Cancelled.'
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
