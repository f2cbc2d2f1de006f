export type Call = () => Promise<void>

export interface Figures {
  /** Milliseconds of the middle call. */
  readonly p50: number
  readonly perSecond: number
}

const WARM_UP_CALLS = 200

/** Makes `calls` calls with `inFlight` of them open at any time. */
export async function measure(call: Call, inFlight: number, calls: number): Promise<Figures> {
  await spread(call, inFlight, WARM_UP_CALLS, () => {})
  const times: number[] = []
  const began = performance.now()
  await spread(call, inFlight, calls, (ms) => times.push(ms))
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length / 2)] ?? 0, perSecond: calls / seconds }
}

async function spread(
  call: Call,
  inFlight: number,
  calls: number,
  onCall: (ms: number) => void,
): Promise<void> {
  let left = calls
  const lane = async () => {
    while (left-- > 0) {
      const began = performance.now()
      await call()
      onCall(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}
