import { connectionChanged } from '@althing/protocol/bus/gateway'
import type { Bus } from '@althing/runtime/bus/bus'

/** A way to wait for the next change of any connection, here or at another instance, or for the time to pass. */
export function connectionChanges(
  bus: Bus,
  stack: AsyncDisposableStack,
): (withinMs: number) => Promise<void> {
  const waiting = new Set<() => void>()
  stack.use(
    bus.listen(connectionChanged, null, () => {
      for (const wake of [...waiting]) wake()
    }),
  )
  return (withinMs) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, withinMs)
      waiting.add(wake)
    })
}
