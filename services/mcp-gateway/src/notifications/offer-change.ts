/** What a server says has changed of its offer beside the tools. */
export interface OfferChange {
  readonly what: 'prompts' | 'resources' | 'resource' | 'elicitation'
  readonly params?: Record<string, unknown>
}

const WHAT: Readonly<Record<string, OfferChange['what']>> = {
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
  'notifications/resources/updated': 'resource',
  'notifications/elicitation/complete': 'elicitation',
}

export function offerChange(method: string, params: unknown): OfferChange {
  const what = WHAT[method] ?? 'resources'
  return typeof params === 'object' && params !== null ? { what, params: { ...params } } : { what }
}
