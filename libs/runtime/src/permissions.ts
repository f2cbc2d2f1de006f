import { type BucketContract, type BusContract, SERVICES, type ServiceName } from '@althing/protocol/define'

/** What one service may publish and subscribe to, as NATS subject patterns, sorted. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/**
 * Derives the NATS permissions of every service from the contracts, so that what is not a contract cannot be said.
 * Owners hear their requests and streams and answer in the inboxes of the callers; callers ask and hear in their
 * own inbox only; streams of JetStream are read by their consumers and by nobody else.
 */
export function natsPermissions(
  contracts: readonly BusContract[],
  buckets: readonly BucketContract[] = [],
): Readonly<Record<ServiceName, Permissions>> {
  const entries = SERVICES.map((service) => [service, permissionsOf(service, contracts, buckets)] as const)
  return Object.fromEntries(entries) as Record<ServiceName, Permissions>
}

function permissionsOf(
  service: ServiceName,
  contracts: readonly BusContract[],
  buckets: readonly BucketContract[],
): Permissions {
  const publish = new Set<string>()
  const subscribe = new Set<string>([`${inbox(service)}.>`])
  for (const contract of contracts) {
    const subject = contract.subject.wildcard
    if (contract.kind === 'event') {
      if (contract.owner === service) publish.add(subject)
      if (contract.consumers.includes(service)) {
        subscribe.add(subject)
        if (contract.stream) for (const api of consumerApi(contract.stream.name)) publish.add(api)
      }
      continue
    }
    const cancel = `${ownerToken(subject)}.v1.stream.cancel.*`
    if (contract.owner === service) {
      subscribe.add(subject)
      subscribe.add(cancel)
      for (const caller of contract.callers) publish.add(`${inbox(caller)}.>`)
    }
    if (contract.callers.includes(service)) {
      publish.add(subject)
      if (contract.kind === 'stream') publish.add(cancel)
    }
  }
  for (const bucket of buckets) {
    if (bucket.owner !== service && !bucket.readers.includes(service)) continue
    // The object store asks whether there is JetStream at all before it does anything.
    publish.add('$JS.API.INFO')
    for (const api of consumerApi(`OBJ_${bucket.name}`)) publish.add(api)
    if (bucket.owner === service) publish.add(`$O.${bucket.name}.>`)
  }
  return { publish: [...publish].sort(), subscribe: [...subscribe].sort() }
}

export function inbox(service: ServiceName): string {
  return `_INBOX_${service}`
}

/** The first token of a subject: the short name of the service that owns it. */
export function ownerToken(subject: string): string {
  return subject.split('.', 1)[0] ?? ''
}

/** The JetStream API that reading one stream needs. */
function consumerApi(stream: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.>`,
    `$JS.ACK.${stream}.>`,
    '$JS.FC.>',
  ]
}
