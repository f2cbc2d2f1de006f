import type { ReactNode } from 'react'
import './empty-state.css'

interface EmptyStateProps {
  readonly icon: ReactNode
  readonly title: string
  /** What will be here. */
  readonly children: ReactNode
  /** The one next step. */
  readonly action?: ReactNode
  /** Where it is the whole page, its title is the page's. */
  readonly heading?: 'h1' | 'h2'
}

export function EmptyState({ icon, title, children, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon" aria-hidden="true">
        {icon}
      </span>
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action}
    </div>
  )
}
