import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { createAdministrator, meQuery } from '../../api/identity.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/field.tsx'
import { Gate } from '../sign-in/gate.tsx'

const SHORTEST_PASSWORD = 10

export function SetUpPage() {
  const client = useQueryClient()
  const router = useRouter()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await createAdministrator({ name: name.trim(), email: email.trim(), password })
      client.clear()
      await client.fetchQuery(meQuery)
      await router.navigate({ to: paths.newChat, replace: true })
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Gate
      title="Set up Althing"
      lead="The first account is the administrator. It adds servers, people and the model."
    >
      <form className="gate-form" onSubmit={submit}>
        {failure !== undefined && <Failed error={failure} />}
        <TextField label="Name" autoComplete="name" required maxLength={80} value={name} onChange={setName} />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
        />
        <TextField
          label="Password"
          hint={`at least ${SHORTEST_PASSWORD} characters`}
          type="password"
          autoComplete="new-password"
          required
          minLength={SHORTEST_PASSWORD}
          value={password}
          onChange={setPassword}
        />
        <Button look="primary" type="submit" busy={busy}>
          Create administrator
        </Button>
      </form>
    </Gate>
  )
}
