import type { Role } from '@althing/protocol/model/actor'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { addUser, usersQuery } from '../../api/identity.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ROLES } from './roles.ts'

const EMPTY = { name: '', email: '', password: '' }

export function NewUser() {
  const client = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const [role, setRole] = useState<Role>('member')
  const add = useMutation({
    mutationFn: () => {
      const { password, ...rest } = draft
      return addUser({ ...rest, role, ...(password === '' ? {} : { password }) })
    },
    onSuccess: () => {
      setDraft(EMPTY)
      return client.invalidateQueries({ queryKey: usersQuery.queryKey })
    },
  })
  const complete = draft.name.trim() !== '' && draft.email.trim() !== ''
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (complete && !add.isPending) add.mutate()
  }
  return (
    <form className="card card-pad new-user" onSubmit={submit} aria-labelledby="new-user">
      <h2 id="new-user">Add a person</h2>
      <div className="new-user-fields">
        <TextField
          label="Name"
          maxLength={80}
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
        />
        <TextField
          label="E-mail"
          type="email"
          value={draft.email}
          onChange={(email) => setDraft({ ...draft, email })}
        />
        <SelectField label="Role" value={role} options={ROLES} onChange={setRole} />
        <TextField
          label="Password"
          hint="empty: one is made"
          type="password"
          autoComplete="new-password"
          value={draft.password}
          onChange={(password) => setDraft({ ...draft, password })}
        />
      </div>
      {add.error !== null && <Failed error={add.error} />}
      {add.data?.password !== undefined && (
        <ShownOnce what={`${add.data.name} signs in with this password.`} secret={add.data.password} />
      )}
      <div>
        <Button look="primary" type="submit" busy={add.isPending} disabled={!complete}>
          Add person
        </Button>
      </div>
    </form>
  )
}
