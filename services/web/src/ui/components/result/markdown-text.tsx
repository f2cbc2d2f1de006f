import { lazy, Suspense } from 'react'
import './markdown.css'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

/** Markdown, shown as plain text until its renderer is here. */
export function MarkdownText({ text, growing = false }: { text: string; growing?: boolean }) {
  return (
    <div className="md">
      <Suspense fallback={<p className="md-plain">{text}</p>}>
        <Markdown text={text} growing={growing} />
      </Suspense>
    </div>
  )
}
