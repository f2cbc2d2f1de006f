import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiError } from './api/client.ts'
import { meQuery, setUpQuery } from './api/identity.ts'
import { Frame } from './components/frame/frame.tsx'
import { NotFoundPage } from './pages/not-found/not-found-page.tsx'
import { WholeFailure } from './pages/not-found/whole-failure.tsx'
import { paths } from './paths.ts'
import { readEventsSearch, readServerSearch, readSignInSearch } from './search.ts'

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: WholeFailure,
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: paths.setUp,
  beforeLoad: async ({ context }) => {
    const { needed } = await context.client.fetchQuery(setUpQuery)
    if (!needed) throw redirect({ to: paths.signIn })
  },
  component: lazyRouteComponent(() => import('./pages/set-up/set-up-page.tsx'), 'SetUpPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: readSignInSearch,
  beforeLoad: async ({ context }) => {
    const { needed } = await context.client.fetchQuery(setUpQuery)
    if (needed) throw redirect({ to: paths.setUp })
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** Everything behind the sign-in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: async ({ context, location }) => {
    try {
      return { me: await context.client.ensureQueryData(meQuery) }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_authenticated')
        throw redirect({ to: paths.signIn, search: { next: location.href } })
      throw error
    }
  },
  component: Frame,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: paths.home,
  beforeLoad: () => {
    throw redirect({ to: paths.newChat, replace: true })
  },
})

const newChat = createRoute({
  getParentRoute: () => frame,
  path: paths.newChat,
  component: lazyRouteComponent(() => import('./pages/chat/new-chat-page.tsx'), 'NewChatPage'),
})

const chat = createRoute({
  getParentRoute: () => frame,
  path: paths.chat,
  component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
})

const inbox = createRoute({
  getParentRoute: () => frame,
  path: paths.inbox,
  component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

const servers = createRoute({
  getParentRoute: () => frame,
  path: paths.servers,
  component: lazyRouteComponent(() => import('./pages/servers/servers-page.tsx'), 'ServersPage'),
})

const newServer = createRoute({
  getParentRoute: () => frame,
  path: paths.newServer,
  component: lazyRouteComponent(() => import('./pages/servers/new-server-page.tsx'), 'NewServerPage'),
})

const server = createRoute({
  getParentRoute: () => frame,
  path: paths.server,
  validateSearch: readServerSearch,
  component: lazyRouteComponent(() => import('./pages/server/server-page.tsx'), 'ServerPage'),
})

const events = createRoute({
  getParentRoute: () => frame,
  path: paths.events,
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
})

const account = createRoute({
  getParentRoute: () => frame,
  path: paths.account,
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

const users = createRoute({
  getParentRoute: () => frame,
  path: paths.users,
  component: lazyRouteComponent(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
})

const tree = root.addChildren([
  setUp,
  signIn,
  frame.addChildren([home, newChat, chat, inbox, servers, newServer, server, events, account, users]),
])

export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: WholeFailure,
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
