import { useMutation } from '@tanstack/react-query'
import { beginSignIn } from '../../api/oauth.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'

/** Leaves for the server's own sign-in; it sends the browser back to this page. */
export function SignIn({ name }: { name: string }) {
  const begin = useMutation({
    mutationFn: () => beginSignIn(name),
    onSuccess: ({ authorization_url }) => window.location.assign(authorization_url),
    onError: (error) => toast('The sign-in could not begin', sentence(error)),
  })
  return (
    <Button look="primary" busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
      Sign in
    </Button>
  )
}
