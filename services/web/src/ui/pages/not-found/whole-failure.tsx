import { useRouter } from '@tanstack/react-router'
import { Failed } from '../../ui/failed.tsx'

/** A page that could not be opened at all. */
export function WholeFailure({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <main className="page-body">
      <div className="page-read">
        <Failed error={error} onRetry={() => router.invalidate()} />
      </div>
    </main>
  )
}
