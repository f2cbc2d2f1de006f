import { type Explained, explain } from '../words/errors.ts'
import { Button } from './button.tsx'
import './failed.css'

interface FailedProps {
  readonly error: unknown
  /** Offered where trying again is safe. */
  readonly onRetry?: () => void
}

/** A failure where its thing would be: what happened, what to do, the code in small. */
export function Failed({ error, onRetry }: FailedProps) {
  return <Explanation explained={explain(error)} {...(onRetry === undefined ? {} : { onRetry })} />
}

export function Explanation({ explained, onRetry }: { explained: Explained; onRetry?: () => void }) {
  const { what, next, detail, code } = explained
  return (
    <div className="failed" role="alert">
      <div className="failed-text">
        <strong>{what}</strong>
        {detail !== '' && detail !== what && <span className="failed-detail">{detail}</span>}
        <span>
          {next} <code>{code}</code>
        </span>
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
