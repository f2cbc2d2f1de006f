import type { ComponentProps } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { safeAddress } from './safe-address.ts'
import { SafeLink } from './safe-link.tsx'

/** HTML in the text is shown as the text that it is, links are checked, and no image is loaded: it becomes a link that says where it leads. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink address={href ?? ''}>{children}</SafeLink>,
  img: ({ src, alt }: ComponentProps<'img'>) => (
    <SafeLink address={typeof src === 'string' ? src : ''}>Image: {alt || 'without a description'}</SafeLink>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="md-table" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
}

const PLUGINS = [remarkGfm]

/** Text of a model. `growing`: what is still open (a bold, a fence) is closed for the moment. */
export function Markdown({ text, growing }: { text: string; growing: boolean }) {
  return (
    <ReactMarkdown
      remarkPlugins={PLUGINS}
      components={COMPONENTS}
      urlTransform={(address) => safeAddress(address) ?? ''}
    >
      {growing ? remend(text, { linkMode: 'text-only', images: false, htmlTags: false }) : text}
    </ReactMarkdown>
  )
}
