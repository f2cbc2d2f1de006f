import * as z from 'zod'
import { Timestamp } from './ids.ts'

/**
 * One record of a server's log. `tag` is `stderr`, `stdout`, `lifecycle`, or a level of MCP's
 * `notifications/message` (`debug` to `emergency`). `text` is one line: control characters are escaped.
 */
export const LogLine = z
  .object({ at: Timestamp, tag: z.string().regex(/^[a-z]{1,16}$/), text: z.string() })
  .meta({ id: 'LogLine' })
export type LogLine = z.infer<typeof LogLine>

/** The widest tag is `[lifecycle]` or `[emergency]`: 11 characters. */
const TAG_WIDTH = 13

/** `2026-07-03T12:34:56.789Z [stderr]     text` */
export function renderLogLine(line: LogLine): string {
  return `${line.at} ${`[${line.tag}]`.padEnd(TAG_WIDTH)}${line.text}`
}
