import type { BucketContract, BusContract, StreamLimits } from '@althing/protocol/define'
import {
  DiscardPolicy,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { type NatsConnection, nanos } from '@nats-io/transport-node'

const DUPLICATE_WINDOW_MS = 600_000

/** The JetStream streams that the contracts name, each with every subject that it keeps. */
export function streamConfigs(contracts: readonly BusContract[]): Partial<StreamConfig>[] {
  const streams = new Map<string, { limits: StreamLimits; subjects: string[] }>()
  for (const contract of contracts) {
    if (contract.kind !== 'event' || contract.stream === null) continue
    const known = streams.get(contract.stream.name)
    if (known) known.subjects.push(contract.subject.wildcard)
    else streams.set(contract.stream.name, { limits: contract.stream, subjects: [contract.subject.wildcard] })
  }
  return [...streams.values()].map(({ limits, subjects }) => configOf(limits, subjects.sort()))
}

function configOf(limits: StreamLimits, subjects: string[]): Partial<StreamConfig> {
  const maxAgeMs = limits.maxAgeSeconds * 1000
  return {
    name: limits.name,
    subjects,
    retention: limits.retention === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    // A work queue refuses when it is full: what was accepted is never pushed out by something newer.
    discard: limits.retention === 'work' ? DiscardPolicy.New : DiscardPolicy.Old,
    storage: limits.storage === 'file' ? StorageType.File : StorageType.Memory,
    max_age: nanos(maxAgeMs),
    max_bytes: limits.maxBytes,
    max_msgs_per_subject: limits.maxMessagesPerSubject ?? -1,
    duplicate_window: nanos(maxAgeMs === 0 ? DUPLICATE_WINDOW_MS : Math.min(DUPLICATE_WINDOW_MS, maxAgeMs)),
    allow_direct: true,
    num_replicas: 1,
  }
}

/** Creates the streams and object stores, or brings them to their configuration. Needs an administrator's connection. */
export async function ensureStreams(
  nats: NatsConnection,
  contracts: readonly BusContract[],
  buckets: readonly BucketContract[] = [],
): Promise<void> {
  for (const { name, maxAgeSeconds, maxBytes } of buckets) {
    await new Objm(nats).create(name, {
      ttl: nanos(maxAgeSeconds * 1000),
      max_bytes: maxBytes,
      storage: StorageType.File,
    })
  }
  const manager = await jetstreamManager(nats)
  for (const config of streamConfigs(contracts)) {
    const name = config.name ?? ''
    const present = await manager.streams.info(name).catch(() => undefined)
    const { config: got } = present
      ? await manager.streams.update(name, config)
      : await manager.streams.add(config as StreamConfig & { name: string })
    // Older servers ignore what they do not know without a word.
    if (got.retention !== config.retention || got.max_bytes !== config.max_bytes) {
      throw new Error(`The NATS server did not take the configuration of the stream ${name}.`)
    }
  }
}
