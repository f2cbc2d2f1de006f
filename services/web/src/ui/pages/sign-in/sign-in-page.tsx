import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { meQuery, signIn } from '../../api/identity.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/field.tsx'
import { Gate } from './gate.tsx'

export function SignInPage() {
  const { next } = useSearch({ from: paths.signIn })
  const client = useQueryClient()
  const router = useRouter()
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
      await signIn(email.trim(), password)
      client.clear()
      await client.fetchQuery(meQuery)
      await router.navigate({ href: next ?? paths.newChat, replace: true })
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Gate title="Sign in" lead="Your servers, chats and briefings are behind this door.">
      <form className="gate-form" onSubmit={submit}>
        {failure !== undefined && <Failed error={failure} />}
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
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <Button look="primary" type="submit" busy={busy}>
          Sign in
        </Button>
      </form>
    </Gate>
  )
}
