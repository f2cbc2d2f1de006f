import type { ReactNode } from 'react'
import { placeOf, safeAddress } from './safe-address.ts'

/** A link out of untrusted content. It shows where it goes; what may not be followed stays plain text. */
export function SafeLink({ address, children }: { address: string; children: ReactNode }) {
  const safe = safeAddress(address)
  if (safe === undefined) return <span className="muted">{children}</span>
  const place = placeOf(safe)
  const shown = typeof children === 'string' && children.includes(place)
  return (
    <a href={safe} title={safe} target="_blank" rel="noopener noreferrer">
      {children}
      {!shown && <span className="link-host">({place})</span>}
    </a>
  )
}
