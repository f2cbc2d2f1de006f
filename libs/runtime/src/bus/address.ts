import type { Params, ServiceName, Subject } from '@althing/protocol/define'

/** The first subject token of what a service owns. */
export const OWNER_TOKENS: Readonly<Record<ServiceName, string>> = {
  'mcp-gateway': 'gateway',
  agent: 'agent',
  'tic-worker': 'tic',
  web: 'web',
}

/** Where an instance hears that work of its streams is not wanted any more. */
export function cancelSubject(owner: string | undefined, instance: string): string {
  return `${owner}.v1.stream.cancel.${instance}`
}

export function address<S extends string>(subject: Subject<S>, at: Params<S>): string {
  return (subject.at as (params: Params<S>) => string)(at)
}
