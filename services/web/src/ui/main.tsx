import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { meQuery } from './api/identity.ts'
import { paths } from './paths.ts'
import { createAppRouter } from './routes.tsx'
import './styles/tokens.css'
import './styles/base.css'
import { applyTheme } from './theme.ts'
import { Toasts } from './ui/toast.tsx'

applyTheme()

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // A sign-in that ended elsewhere shows itself in whatever is read next.
      if (!(error instanceof ApiError) || error.code !== 'not_authenticated') return
      if (query.queryKey[0] === meQuery.queryKey[0]) return
      client.removeQueries({ queryKey: meQuery.queryKey })
      const { href, pathname } = router.state.location
      if (pathname === paths.signIn) return
      router.navigate({ to: paths.signIn, search: { next: href } }).catch(console.error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiError && isPassing(error),
    },
  },
})

/** Worth another try by itself: nobody answered, or the answer says it will pass. */
function isPassing({ code, status }: ApiError): boolean {
  return code === 'offline' || status === 503
}

const router = createAppRouter(client)

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
