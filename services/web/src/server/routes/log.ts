import { getServer, logWritten, readLog as readLogOnBus } from '@althing/protocol/bus/gateway'
import { readLog } from '@althing/protocol/http/servers'
import { type LogLine, renderLogLine } from '@althing/protocol/model/log'
import type { Bus } from '@althing/runtime/bus/bus'
import type { StreamOpener } from '../live/stream.ts'
import type { RouteBinder } from './bind.ts'

/** The log of a server as text; as an event stream it goes on with what is written from then on. */
export function bindLog(routes: RouteBinder, bus: Bus, openStream: StreamOpener): void {
  routes.bindRaw(readLog, async ({ actor, params, query, request, reply }) => {
    const wanted = { actor, name: params.name, ...query }
    if (!request.headers.accept?.includes('text/event-stream')) {
      const { lines } = await bus.call(readLogOnBus, wanted)
      return reply
        .type('text/plain; charset=utf-8')
        .send(lines.map((line) => `${renderLogLine(line)}\n`).join(''))
    }

    const server = await bus.call(getServer, { actor, name: params.name })
    const heard: LogLine[] = []
    let onLines = (lines: readonly LogLine[]): void => void heard.push(...lines)
    const listening = bus.listen(logWritten, { server: server.id }, ({ lines }) =>
      onLines(query.level === undefined ? lines : lines.filter((line) => line.tag === query.level)),
    )
    try {
      const { lines: tail } = await bus.call(readLogOnBus, wanted)
      const stream = openStream(request, reply)
      const send = (lines: readonly LogLine[]): void => {
        for (const line of lines) stream.send(`data: ${renderLogLine(line)}\n\n`)
      }
      send(tail)
      send(heard.slice(overlap(tail, heard)))
      onLines = send
      await stream.ended
    } finally {
      await listening[Symbol.asyncDispose]()
    }
    return reply
  })
}

/** How many of the first lines heard are the last ones of the tail: the two were read at about the same time. */
export function overlap(tail: readonly LogLine[], heard: readonly LogLine[]): number {
  const same = (a: LogLine | undefined, b: LogLine | undefined) =>
    a?.at === b?.at && a?.tag === b?.tag && a?.text === b?.text
  for (let count = Math.min(tail.length, heard.length); count > 0; count--) {
    const from = tail.length - count
    if (heard.slice(0, count).every((line, index) => same(line, tail[from + index]))) return count
  }
  return 0
}
