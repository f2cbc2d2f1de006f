import type { ReactNode } from 'react'
import './tag.css'

/** Accent: running. Ok: done. Warn: waits or changes things. Bad: failed or destroys. Secret: a secret. */
export type Tone = 'plain' | 'accent' | 'ok' | 'warn' | 'bad' | 'secret'

export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`tag tag-${tone}`}>{children}</span>
}

export function Dot({ tone = 'plain', pulse = false }: { tone?: Tone; pulse?: boolean }) {
  return <span className={`dot dot-${tone}${pulse ? ' dot-pulse' : ''}`} aria-hidden="true" />
}

export function Chip({ children }: { children: ReactNode }) {
  return <span className="chip">{children}</span>
}
