import type { ReadResult } from '@althing/mcp-client/result'
import type { CallResult } from '@althing/protocol/model/tool'

/** A result as callers get it. Media is named in the warnings: its bytes are not kept. */
export function outcomeOf(callId: string, result: ReadResult): CallResult {
  const named = result.media.map(
    ({ kind, mimeType, bytes }) =>
      `The tool gave ${describe(kind)} (${mimeType}, ${bytes.length} bytes) that is not kept yet.`,
  )
  const nothingElse = result.kind === 'string' && result.value === '' && named.length > 0
  return {
    call_id: callId,
    is_error: result.isError,
    result_type: result.kind,
    result: nothingElse ? named.join('\n') : result.value,
    media: [],
    warnings: [...result.warnings, ...named],
  }
}

function describe(kind: ReadResult['media'][number]['kind']): string {
  return kind === 'file' ? 'a file' : `an ${kind}`
}
