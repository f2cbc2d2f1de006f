import type { BusContract } from './define.ts'
import { SchemaComponents } from './schema-components.ts'

type Json = Record<string, unknown>

/** The bus as an AsyncAPI 3.0 document: what each service is asked, and what it tells. */
export function asyncApiDocument(contracts: readonly BusContract[]): Json {
  const components = new SchemaComponents()
  const channels: Record<string, Json> = {}
  const operations: Record<string, Json> = {}
  for (const contract of contracts) {
    const { name, doc } = contract
    channels[name] = {
      address: contract.subject.template,
      description: doc,
      parameters: Object.fromEntries(
        [...contract.subject.template.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, {}]),
      ),
      messages: messagesOf(contract, components),
      ...(contract.kind === 'event' && contract.stream ? { 'x-jetstream': contract.stream } : {}),
    }
    if (contract.kind !== 'event') {
      channels[`${name}.reply`] = { address: null, messages: repliesOf(contract, components) }
    }
    operations[name] = {
      action: contract.kind === 'event' ? 'send' : 'receive',
      channel: { $ref: `#/channels/${name}` },
      summary: doc,
      'x-owner': contract.owner,
      ...(contract.kind === 'event'
        ? { 'x-consumers': contract.consumers }
        : {
            'x-callers': contract.callers,
            'x-errors': contract.errors,
            reply: { channel: { $ref: `#/channels/${name}.reply` } },
          }),
    }
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Althing',
      version: '1',
      description: 'Operations are seen from the service that owns them.',
    },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: { schemas: components.schemas },
  }
}

function messagesOf(contract: BusContract, components: SchemaComponents): Json {
  if (contract.kind === 'event') return { payload: { payload: components.of(contract.payload) } }
  return { request: { payload: components.of(contract.input, 'input') } }
}

function repliesOf(contract: Exclude<BusContract, { kind: 'event' }>, components: SchemaComponents): Json {
  return {
    ...(contract.kind === 'stream' ? { progress: { payload: components.of(contract.progress) } } : {}),
    answer: { payload: components.of(contract.output) },
  }
}
