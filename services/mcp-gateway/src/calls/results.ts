import { readResult } from '@althing/mcp-client/result'
import type { RawTool } from '@althing/mcp-client/tool-list'
import type { CallResult } from '@althing/protocol/model/tool'
import type { MediaOwner, MediaStore } from '../media/media-store.ts'
import { outcomeOf } from '../tools/outcome.ts'
import { outputMismatch } from '../tools/output-check.ts'

const NOTHING_KEPT = { refs: [], warnings: [] }

/** Makes what callers get of a server's result: read loosely, its media kept, its promises checked. */
export class Results {
  readonly #media: MediaStore

  constructor(media: MediaStore) {
    this.#media = media
  }

  async read(raw: unknown, owner: MediaOwner, tool?: RawTool): Promise<CallResult> {
    const read = readResult(raw)
    const { user, serverId, callId } = owner
    const kept =
      read.media.length === 0 ? NOTHING_KEPT : await this.#media.keep(read.media, { user, serverId, callId })
    const mismatch =
      tool === undefined || read.isError || read.kind !== 'json'
        ? undefined
        : outputMismatch(tool, read.value)
    const warnings = mismatch === undefined ? kept.warnings : [...kept.warnings, mismatch]
    return outcomeOf(callId, read, { refs: kept.refs, warnings })
  }
}
