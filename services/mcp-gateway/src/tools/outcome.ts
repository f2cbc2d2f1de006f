import type { ReadResult } from '@althing/mcp-client/result'
import type { CallResult } from '@althing/protocol/model/tool'

/** A result as callers get it. The text names the media by their links, so that a model can speak of them. */
export function outcomeOf(
  callId: string,
  result: ReadResult,
  kept: { readonly refs: CallResult['media']; readonly warnings: readonly string[] },
): CallResult {
  const links = kept.refs.map(
    ({ url, mime_type: type }) => `${type.startsWith('image/') ? '!' : ''}[${type}](${url})`,
  )
  const text =
    typeof result.value === 'string' ? [result.value, ...links].filter((part) => part !== '').join('\n') : ''
  return {
    call_id: callId,
    is_error: result.isError,
    result_type: result.kind,
    result: result.kind === 'string' ? text : result.value,
    media: kept.refs,
    warnings: [...result.warnings, ...kept.warnings],
  }
}
