import type { Inbox } from '@althing/protocol/model/inbox'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { answerElicitation, inboxQuery } from '../api/inbox.ts'
import { Button } from '../ui/button.tsx'
import { Tag } from '../ui/tag.tsx'
import { toast } from '../ui/toast.tsx'
import { sentence } from '../words/errors.ts'
import { Until } from './asked/until.tsx'
import './briefing-card.css'
import { SafeLink } from './result/safe-link.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { type Drafts, defaultsOf, draftsOf, fieldsOf, readDrafts } from './schema-form.ts'

type Elicitation = Inbox['elicitations'][number]

/** What a server asks in the middle of a call: a form, an address to open, or yes or no. */
export function ElicitationCard({ card }: { card: Elicitation }) {
  const { title, message, server, mode, url, schema, unsupported, deadline_at: deadline } = card
  const client = useQueryClient()
  const fields = fieldsOf(schema)
  const [drafts, setDrafts] = useState<Drafts>(() => draftsOf(fields, defaultsOf(fields)))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const answer = useMutation({
    mutationFn: ({ action, content }: { action: 'accept' | 'decline'; content?: Record<string, unknown> }) =>
      answerElicitation(card, action, content),
    onError: (error) => toast('The answer was not taken', sentence(error)),
    onSettled: () => client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
  })
  const confirmation = mode === 'form' && fields.length === 0
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (answer.isPending) return
    const read = readDrafts(fields, drafts)
    setErrors(read.errors)
    if (Object.keys(read.errors).length > 0) return
    answer.mutate(mode === 'url' ? { action: 'accept' } : { action: 'accept', content: read.args })
  }
  return (
    <article className="card briefing" aria-label={title}>
      <div className="row briefing-head">
        <h3>{title}</h3>
        {card.sensitive.length > 0 && <Tag tone="warn">secret</Tag>}
        <span className="muted tiny end">
          {server}
          <Until deadline={deadline} />
        </span>
      </div>
      <p className="briefing-text">{message || 'The server gives no reason.'}</p>
      <form onSubmit={submit} autoComplete="off">
        {mode === 'url' && url !== undefined && (
          <p>
            <SafeLink address={url}>{url}</SafeLink>
          </p>
        )}
        {mode === 'form' && !confirmation && unsupported === undefined && (
          <SchemaFields fields={fields} drafts={drafts} errors={errors} onChange={setDrafts} />
        )}
        {unsupported !== undefined && (
          <p className="muted small">
            This form asks for what cannot be shown here ({unsupported.join(', ')}), so it can only be
            declined.
          </p>
        )}
        <div className="row row-wrap">
          {unsupported === undefined && (
            <Button type="submit" look="primary" busy={answer.isPending}>
              {confirmation ? 'Yes' : mode === 'url' ? 'I have done it' : 'Send'}
            </Button>
          )}
          <Button busy={answer.isPending} onClick={() => answer.mutate({ action: 'decline' })}>
            {confirmation ? 'No' : 'Decline'}
          </Button>
        </div>
      </form>
    </article>
  )
}
