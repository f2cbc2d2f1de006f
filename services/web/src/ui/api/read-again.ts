import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Reads what is shown again. A first read that is still on its way may have been answered before whatever happened,
 * and the client would take it as fresh: it is read once more when it is there.
 */
export function readAgain(client: QueryClient, queryKey?: QueryKey): void {
  const which = queryKey === undefined ? {} : { queryKey }
  const first = client
    .getQueryCache()
    .findAll({ ...which, fetchStatus: 'fetching' })
    .filter((query) => query.state.data === undefined)
  client.invalidateQueries(which).catch(console.error)
  for (const query of first) {
    const again = () => client.invalidateQueries({ queryKey: query.queryKey })
    query.promise?.then(again, () => {}).catch(console.error)
  }
}
