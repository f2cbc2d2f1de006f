import * as tic from '@althing/protocol/bus/tic-schedules'
import { AppError } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/schedules'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

export function bindSchedules(routes: RouteBinder, bus: Bus): void {
  routes.bind(http.listSchedules, ({ actor }) => bus.call(tic.listSchedules, { actor }))

  routes.bind(http.createSchedule, ({ actor, body }) => bus.call(tic.createSchedule, { actor, draft: body }))

  routes.bind(http.updateSchedule, ({ actor, params, body }) =>
    bus.call(tic.updateSchedule, { actor, schedule: idIn(params), change: body }),
  )

  routes.bind(http.deleteSchedule, async ({ actor, params }) => {
    await bus.call(tic.deleteSchedule, { actor, schedule: idIn(params) })
    return undefined
  })

  routes.bind(http.runSchedule, ({ actor, params }) =>
    bus.call(tic.runSchedule, { actor, schedule: idIn(params) }),
  )

  routes.bind(http.listScheduleRuns, ({ actor, params, query }) =>
    bus.call(tic.listScheduleRuns, { actor, schedule: idIn(params), page: query }),
  )
}

function idIn({ id }: { readonly id: string }): string {
  if (Id.safeParse(id).success) return id
  throw new AppError('not_found', 'There is no such schedule.')
}
