import * as gateway from '@althing/protocol/bus/gateway-secrets'
import { AppError } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/secrets'
import { SecretName } from '@althing/protocol/model/secret'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

export function bindSecrets(routes: RouteBinder, bus: Bus): void {
  routes.bind(http.listSecrets, ({ actor }) => bus.call(gateway.listSecrets, { actor }))

  routes.bind(http.getSecret, async ({ actor, params }) => {
    const { secrets } = await bus.call(gateway.listSecrets, { actor })
    const found = secrets.find((secret) => secret.name === params.name)
    if (found === undefined) throw new AppError('not_found', 'There is no secret of this name.')
    return found
  })

  routes.bind(http.setSecret, ({ actor, params, body }) =>
    bus.call(gateway.setSecret, { actor, name: nameIn(params), value: body.value }),
  )

  routes.bind(http.deleteSecret, async ({ actor, params, query }) => {
    await bus.call(gateway.deleteSecret, { actor, name: nameIn(params), force: query.force === 'true' })
    return undefined
  })
}

function nameIn({ name }: { readonly name: string }): string {
  const parsed = SecretName.safeParse(name)
  if (parsed.success) return parsed.data
  throw new AppError('invalid_request', `name: ${parsed.error.issues[0]?.message}`)
}
