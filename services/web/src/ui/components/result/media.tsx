import type { MediaRef } from '@althing/protocol/model/tool'
import type * as z from 'zod'
import { addresses } from '../../paths.ts'

type MediaItem = z.infer<typeof MediaRef>

/** Only what this site itself stores is loaded; everything else is named. */
function isOwn(url: string): boolean {
  return url.startsWith(addresses.media)
}

export function Media({ media }: { media: readonly MediaItem[] }) {
  return (
    <div className="media">
      {media.map((item) => (
        <MediaView key={item.url} item={item} />
      ))}
    </div>
  )
}

function MediaView({ item: { url, mime_type, bytes } }: { item: MediaItem }) {
  const name = `${mime_type}, ${Math.max(1, Math.round(bytes / 1024)).toLocaleString()} kB`
  if (!isOwn(url)) return <span className="muted small">{name}</span>
  if (mime_type.startsWith('image/') && mime_type !== 'image/svg+xml')
    return (
      <a href={url} target="_blank" rel="noopener noreferrer">
        <img src={url} alt={`Result of the tool: ${name}`} loading="lazy" />
      </a>
    )
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" download>
      Open {name}
    </a>
  )
}
