import { channel } from 'node:diagnostics_channel'

/**
 * The moments of a turn at which its worker waits for somebody else, or has just written something down: those at
 * which a death must lose and double nothing.
 */
export type Step =
  | `${'begin-message' | 'finish-message' | 'fail-message' | 'enter-queued'}${Side}`
  | `${'decide-call' | 'begin-call' | 'end-call' | 'ask-question'}${Side}`
  | `${'begin-frame' | 'end-frame' | 'park' | 'end'}${Side}`
  | 'claimed'
  | 'ask-model'
  | 'first-text'
  | 'model-answered'
  | 'send-call'
  | 'call-answered'

type Side = ':before' | ':after'

const steps = channel('althing:turn')

/** Tells whoever subscribed to the diagnostics channel `althing:turn`. */
export function reached(step: Step): void {
  if (steps.hasSubscribers) steps.publish({ step })
}
