import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { meQuery, signOut } from '../../api/identity.ts'
import { paths } from '../../paths.ts'
import { setTheme, useTheme } from '../../theme.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import './account-page.css'
import { ApiKeys } from './api-keys.tsx'

const THEME_OPTIONS = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function AccountPage() {
  const { data: me } = useQuery(meQuery)
  const theme = useTheme()
  return (
    <Page title="Account" width="read">
      <section className="card account-row" aria-label="You">
        <div>
          <h2>
            {me?.name} {me !== undefined && <Tag>{me.role}</Tag>}
          </h2>
          <p className="muted small">{me?.email}</p>
        </div>
        {me?.role === 'admin' && (
          <Link to={paths.users} className={`${buttonClass('ghost')} account-users`}>
            Administration
          </Link>
        )}
        <SignOut />
      </section>
      <section className="card account-row" aria-label="Appearance">
        <div>
          <h2>Theme</h2>
          <p className="muted small">Kept in this browser.</p>
        </div>
        <Segmented label="Theme" value={theme} options={THEME_OPTIONS} onChange={setTheme} />
      </section>
      <ApiKeys />
    </Page>
  )
}

function SignOut() {
  const client = useQueryClient()
  const router = useRouter()
  const leave = async (): Promise<void> => {
    try {
      await signOut()
    } catch (error) {
      toast('You are still signed in', sentence(error))
      return
    }
    await router.navigate({ to: paths.signIn })
    client.clear()
  }
  return <Button onClick={leave}>Sign out</Button>
}
