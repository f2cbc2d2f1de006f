import type { User } from '@althing/protocol/model/user'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { changeRole, meQuery, removeUser, usersQuery } from '../../api/identity.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import { NewUser } from './new-user.tsx'
import { ROLES } from './roles.ts'
import './users-page.css'

/** Administration: who has an account, and what they may do. */
export function UsersPage() {
  const { data, error, refetch } = useQuery(usersQuery)
  return (
    <Page title="Administration" width="read" facts={data && `${data.users.length} people`}>
      <NewUser />
      <h2 className="section-title">People</h2>
      {data === undefined &&
        (error === null ? <Skeleton rows={3} height={60} /> : <Failed error={error} onRetry={refetch} />)}
      {data !== undefined && (
        <ul className="card people">
          {data.users.map((user) => (
            <Person key={user.id} user={user} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function Person({ user }: { user: User }) {
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const refresh = () => client.invalidateQueries({ queryKey: usersQuery.queryKey })
  const change = useMutation({
    mutationFn: (role: User['role']) => changeRole(user.id, role),
    onSettled: refresh,
    onError: (error) => toast('The role was not changed', sentence(error)),
  })
  const own = me?.id === user.id
  return (
    <li>
      <div className="people-text">
        <span className="clip">
          {user.name} {own && <span className="muted">(you)</span>}
        </span>
        <span className="muted small clip">{user.email}</span>
      </div>
      <Select
        aria-label={`Role of ${user.name}`}
        value={user.role}
        options={ROLES}
        onChange={(role) => change.mutate(role)}
      />
      {!own && (
        <Confirm
          trigger={
            <Button look="danger" aria-label={`Remove ${user.name}`}>
              Remove
            </Button>
          }
          title={`Remove ${user.name}?`}
          action="Remove"
          onConfirm={async () => {
            await removeUser(user.id)
            await refresh()
          }}
        >
          Their account and keys go, and they are signed out everywhere. This cannot be undone.
        </Confirm>
      )}
    </li>
  )
}
