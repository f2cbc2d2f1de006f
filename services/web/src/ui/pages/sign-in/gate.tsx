import type { ReactNode } from 'react'
import { Mark } from '../../components/frame/mark.tsx'
import { useTitle } from '../../ui/page.tsx'
import './gate.css'

/** The page outside: one card in the middle. */
export function Gate({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className="gate">
      <div className="gate-brand">
        <Mark />
        Althing
      </div>
      <div className="card gate-card">
        <h1>{title}</h1>
        <p className="muted">{lead}</p>
        {children}
      </div>
    </main>
  )
}
