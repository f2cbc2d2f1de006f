import type { BucketContract } from '@althing/protocol/define'
import { AppError } from '@althing/protocol/errors'
import { type ObjectStore, Objm } from '@nats-io/obj'
import type { Bus } from './bus/bus.ts'

/** One object store, as far as this service may use it. Objects are named by ids and written once. */
export class Objects {
  readonly #bus: Bus
  readonly #bucket: BucketContract
  #store: Promise<ObjectStore> | undefined

  constructor(bus: Bus, bucket: BucketContract) {
    this.#bus = bus
    this.#bucket = bucket
  }

  /** Resolves once the bytes are stored. Rejects with `unavailable`. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    try {
      const store = await this.#open()
      await store.putBlob({ name }, bytes)
    } catch (cause) {
      throw new AppError('unavailable', 'The bytes could not be stored.', { cause })
    }
  }

  /** The bytes, or undefined when there are none of that name (any more). Rejects with `unavailable`. */
  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      const store = await this.#open()
      return (await store.getBlob(name)) ?? undefined
    } catch (cause) {
      throw new AppError('unavailable', 'The bytes could not be read.', { cause })
    }
  }

  #open(): Promise<ObjectStore> {
    this.#store ??= new Objm(this.#bus.nats).open(this.#bucket.name, false)
    this.#store.catch(() => {
      this.#store = undefined
    })
    return this.#store
  }
}
