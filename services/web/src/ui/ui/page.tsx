import { type ReactNode, useEffect } from 'react'
import './page.css'

/** Names the document after the page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Althing`
  }, [title])
}

interface PageProps {
  readonly title: string
  /** One line of facts beside the title. */
  readonly facts?: ReactNode
  /** At most two. */
  readonly actions?: ReactNode
  /** `full` fills the height itself; `read` is a column for reading; else the width is used. */
  readonly width?: 'full' | 'read' | 'wide'
  readonly children: ReactNode
}

export function Page({ title, facts, actions, width = 'wide', children }: PageProps) {
  useTitle(title)
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        {facts !== undefined && <div className="page-facts">{facts}</div>}
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {width === 'full' ? (
        children
      ) : (
        <div className="page-body">
          <div className={`page-column page-${width}`}>{children}</div>
        </div>
      )}
    </>
  )
}
