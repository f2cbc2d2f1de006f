/** Every page's address, as the router's template. Links and redirects take them from here. */
export const paths = {
  home: '/',
  setUp: '/setup',
  signIn: '/sign-in',
  newChat: '/chat',
  chat: '/chat/$id',
  inbox: '/inbox',
  servers: '/servers',
  newServer: '/servers/new',
  server: '/servers/$name',
  events: '/events',
  account: '/account',
  users: '/users',
} as const

/** Addresses that the browser opens itself, outside of the typed calls. */
export const addresses = {
  live: '/api/live',
  signIn: '/api/auth/sign-in/email',
  signOut: '/api/auth/sign-out',
  log: (server: string, tail: number) => `/api/servers/${encodeURIComponent(server)}/log?tail=${tail}`,
  media: '/api/mcp-media/',
} as const
