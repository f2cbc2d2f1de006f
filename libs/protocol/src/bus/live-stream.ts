import type { StreamLimits } from '../define.ts'

/**
 * Ten minutes of live events, so that a page that lost its stream goes on without a gap. Kept in a file: a stream in
 * memory is gone, not empty, once its server starts again.
 */
export const LIVE_STREAM: StreamLimits = {
  name: 'LIVE',
  retention: 'window',
  storage: 'file',
  maxAgeSeconds: 600,
  maxBytes: 67_108_864,
}

/** The subject token of live events that everybody may see. No person has this id. */
export const EVERYBODY = 'all'
