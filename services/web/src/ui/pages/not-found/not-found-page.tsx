import { Link } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTitle } from '../../ui/page.tsx'

export function NotFoundPage() {
  useTitle('Not found')
  return (
    <main>
      <EmptyState
        icon={<MapPinOff />}
        title="There is no such page"
        heading="h1"
        action={
          <Link to={paths.newChat} className={buttonClass()}>
            Go to the chat
          </Link>
        }
      >
        The address may be mistyped, or what was here is gone.
      </EmptyState>
    </main>
  )
}
