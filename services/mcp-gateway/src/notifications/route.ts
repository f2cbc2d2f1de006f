/** What becomes of a server's notification. Log messages and list changes never get here: the connection takes them. */
export type Route = 'event' | 'progress' | 'ignore'

export const DEFAULT_EVENT_METHODS: readonly string[] = ['event/*']

/** Decides by the method alone. A pattern's `*` stands for any characters. */
export function routeOf(method: string, eventMethods: readonly string[]): Route {
  if (eventMethods.some((pattern) => matches(pattern, method))) return 'event'
  return method === 'notifications/progress' ? 'progress' : 'ignore'
}

function matches(pattern: string, method: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return method === pattern
  const tail = rest.pop() ?? ''
  if (!method.startsWith(head) || !method.endsWith(tail) || method.length < head.length + tail.length)
    return false
  let from = head.length
  for (const part of rest) {
    const at = method.indexOf(part, from)
    if (at === -1 || at + part.length > method.length - tail.length) return false
    from = at + part.length
  }
  return true
}
