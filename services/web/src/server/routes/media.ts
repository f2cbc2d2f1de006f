import { findMedia } from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import { getMedia } from '@althing/protocol/http/media'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import type { Objects } from '@althing/runtime/objects'
import type { RouteBinder } from './bind.ts'

/** What a browser may show in place: nothing that could hold a script. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/
const FILE = /^([0-9a-f-]{36})\.([a-z0-9]{1,8})$/

export function bindMedia(routes: RouteBinder, bus: Bus, objects: Objects): void {
  routes.bindRaw(getMedia, async ({ actor, params, reply }) => {
    const [, id, extension] = FILE.exec(params.file) ?? []
    if (id === undefined || !Id.safeParse(id).success) throw missing()
    const found = await bus.call(findMedia, { actor, media: id })
    if (found.extension !== extension) throw missing()
    const bytes = await objects.get(id)
    if (bytes === undefined) throw missing()
    const place = SHOWN.test(found.mime_type) ? 'inline' : 'attachment'
    return reply
      .type(found.mime_type)
      .header('content-disposition', `${place}; filename="${id}.${extension}"`)
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=86400, immutable')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such file.')
}
