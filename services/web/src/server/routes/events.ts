import * as tic from '@althing/protocol/bus/tic'
import { listBatches, listEvents, runTriage } from '@althing/protocol/http/events'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

export function bindEvents(routes: RouteBinder, bus: Bus): void {
  routes.bind(listEvents, ({ actor, query: { state, server, ...page } }) =>
    bus.call(tic.listEvents, { actor, page, state, server }),
  )

  routes.bind(listBatches, ({ actor, query }) => bus.call(tic.listBatches, { actor, page: query }))

  routes.bind(runTriage, ({ actor }) => bus.call(tic.runBatch, { actor }))
}
