import { CopyButton } from './copy-button.tsx'
import './shown-once.css'

/** A secret that nobody can read again: to be copied now. */
export function ShownOnce({ what, secret }: { what: string; secret: string }) {
  return (
    <div className="shown-once" role="status">
      <strong className="small">{what} It is shown this once; copy it now.</strong>
      <div className="row">
        <code>{secret}</code>
        <span className="end">
          <CopyButton text={() => secret} />
        </span>
      </div>
    </div>
  )
}
