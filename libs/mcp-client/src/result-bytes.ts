/** How servers write an answer: the result last, as the specification shows it, or first, as the SDKs do. */
const LAST = /^\{"jsonrpc":"2\.0","id":(?:\d+|"\d+"),"result":/
const FIRST = /^\{"result":/
const FIRST_TAIL = /,"jsonrpc":"2\.0","id":(?:\d+|"\d+")\}$/
const HEAD_BYTES = 64

/**
 * The bytes of an answer's result, cut out of its line, so that they can pass on without being written anew.
 * Undefined when the line is not written in one of the two usual ways. The line must be valid JSON with the members
 * `jsonrpc`, `id` and `result` and no others.
 */
export function resultBytes(line: Buffer): Buffer | undefined {
  const head = line.toString('latin1', 0, HEAD_BYTES)
  const last = LAST.exec(head)
  if (last) return line.subarray(last[0].length, -1)
  if (!FIRST.test(head)) return undefined
  const tail = FIRST_TAIL.exec(line.toString('latin1', Math.max(0, line.length - HEAD_BYTES)))
  return tail ? line.subarray('{"result":'.length, line.length - tail[0].length) : undefined
}
