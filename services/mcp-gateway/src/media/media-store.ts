import { randomUUIDv7 } from 'node:crypto'
import type { Media } from '@althing/mcp-client/result'
import type { MediaRef } from '@althing/protocol/model/tool'
import type { GatewayDb } from '../db/tables.ts'
import { kindOf } from './kind.ts'

const MOST_A_CALL = 32

export interface MediaOwner {
  readonly user: string
  readonly serverId: string
  readonly callId: string
}

export interface MediaStoreOptions {
  readonly db: GatewayDb
  readonly put: (id: string, bytes: Uint8Array) => Promise<void>
  readonly largestBytes: number
}

interface Kept {
  readonly refs: MediaRef[]
  readonly warnings: string[]
}

/** Keeps the bytes that come with results: an object each, and a row that says whose it is and what. */
export class MediaStore {
  readonly #options: MediaStoreOptions

  constructor(options: MediaStoreOptions) {
    this.#options = options
  }

  /** What cannot be kept costs a warning, never the result. */
  async keep(media: readonly Media[], owner: MediaOwner): Promise<Kept> {
    const refs: Kept['refs'] = []
    const warnings: string[] = []
    for (const one of media.slice(0, MOST_A_CALL)) {
      try {
        const { ref, warning } = await this.#keepOne(one, owner)
        refs.push(ref)
        if (warning !== undefined) warnings.push(warning)
      } catch {
        warnings.push(`The tool gave ${describe(one)} that could not be kept.`)
      }
    }
    if (media.length > MOST_A_CALL)
      warnings.push(`Only the first ${MOST_A_CALL} files of the result were kept.`)
    return { refs, warnings }
  }

  async #keepOne(one: Media, { user, serverId, callId }: MediaOwner) {
    const { db, put, largestBytes } = this.#options
    if (one.bytes.length > largestBytes) throw new Error('too large')
    const { mimeType, extension, warning } = await kindOf(one.bytes, one.mimeType)
    const id = randomUUIDv7()
    await put(id, one.bytes)
    await db
      .insertInto('media')
      .values({
        id,
        extension,
        server_id: serverId,
        user,
        call_id: callId,
        mime_type: mimeType,
        bytes: one.bytes.length,
      })
      .execute()
    const ref = { url: `/api/mcp-media/${id}.${extension}`, mime_type: mimeType, bytes: one.bytes.length }
    return { ref, warning }
  }
}

export function describe({ kind, mimeType, bytes }: Media): string {
  return `${kind === 'file' ? 'a file' : `an ${kind}`} (${mimeType}, ${bytes.length} bytes)`
}
