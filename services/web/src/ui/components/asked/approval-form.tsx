import type { ApprovalCard } from '@althing/protocol/model/inbox'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { answerApproval } from '../../api/approvals.ts'
import { inboxQuery } from '../../api/inbox.ts'
import { Button, type Look } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import { SchemaFields } from '../schema-fields.tsx'
import { draftsOf, fieldsOf, parseObject, type Read, readDrafts, restOf } from '../schema-form.ts'
import './asked.css'

type Answer = Parameters<typeof answerApproval>[1]
type Scope = NonNullable<Answer['scope']>

const SCOPES: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: 'once', label: 'this once' },
  { value: 'session', label: 'in this chat' },
  { value: 'always', label: 'always' },
]

/** Allow or refuse a call that waits. Its arguments can be changed before, and a refusal can say why. */
export function ApprovalForm({ card }: { card: ApprovalCard }) {
  const client = useQueryClient()
  const [step, setStep] = useState<'decide' | 'edit' | 'refuse'>('decide')
  const [scope, setScope] = useState<Scope>('once')
  const answer = useMutation({
    mutationFn: (body: Answer) => answerApproval(card.id, body),
    onError: (error) => toast('The answer was not taken', sentence(error)),
    onSettled: () => client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
  })
  const back = () => setStep('decide')
  if (step === 'refuse') return <Refuse busy={answer.isPending} onBack={back} onRefuse={answer.mutate} />
  if (step === 'edit')
    return <Edit card={card} scope={scope} busy={answer.isPending} onBack={back} onAllow={answer.mutate} />
  return (
    <div className="row row-wrap">
      <Button
        look="primary"
        busy={answer.isPending}
        onClick={() => answer.mutate({ action: 'approve', scope })}
      >
        Allow
      </Button>
      <span className="asked-scope">
        <Select aria-label="How long it is allowed" value={scope} options={SCOPES} onChange={setScope} />
      </span>
      <Button onClick={() => setStep('edit')}>Edit arguments</Button>
      <Button look="danger" onClick={() => setStep('refuse')}>
        Refuse
      </Button>
    </div>
  )
}

interface StepProps {
  readonly busy: boolean
  readonly onBack: () => void
}

interface EditProps extends StepProps {
  readonly card: ApprovalCard
  readonly scope: Scope
  readonly onAllow: (answer: Answer) => void
}

/** The arguments as a form, by the tool's own schema; as JSON where there is none. */
function Edit({ card, scope, busy, onBack, onAllow }: EditProps) {
  const fields = fieldsOf(card.schema ?? {})
  const asForm = fields.length > 0
  const [drafts, setDrafts] = useState(() => draftsOf(fields, card.arguments))
  const [json, setJson] = useState(() => JSON.stringify(card.arguments, null, 2))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (busy) return
    const read = asForm ? readDrafts(fields, drafts, restOf(fields, card.arguments)) : readJson(json)
    setErrors(read.errors)
    if (Object.keys(read.errors).length === 0)
      onAllow({ action: 'approve', scope, arguments: read.args as Answer['arguments'] })
  }
  return (
    <form className="asked-form" onSubmit={submit} noValidate aria-label="Arguments">
      {asForm ? (
        <SchemaFields fields={fields} drafts={drafts} errors={errors} onChange={setDrafts} />
      ) : (
        <TextField
          label="Arguments as JSON"
          mono
          rows={6}
          value={json}
          error={errors.json}
          onChange={setJson}
        />
      )}
      <Finish look="primary" action="Allow with these" busy={busy} onBack={onBack} />
    </form>
  )
}

function readJson(text: string): Read {
  const args = parseObject(text)
  return args === undefined
    ? { args: {}, errors: { json: 'This is not a JSON object.' } }
    : { args, errors: {} }
}

function Refuse({ busy, onBack, onRefuse }: StepProps & { readonly onRefuse: (answer: Answer) => void }) {
  const [note, setNote] = useState('')
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!busy) onRefuse({ action: 'reject', ...(note.trim() === '' ? {} : { note: note.trim() }) })
  }
  return (
    <form className="asked-form" onSubmit={submit} aria-label="Refusal">
      <TextField
        label="Reason"
        hint="optional, the agent is told"
        maxLength={2000}
        value={note}
        onChange={setNote}
      />
      <Finish look="danger" action="Refuse this call" busy={busy} onBack={onBack} />
    </form>
  )
}

function Finish({
  look,
  action,
  busy,
  onBack,
}: StepProps & { readonly look: Look; readonly action: string }) {
  return (
    <div className="row row-wrap">
      <Button look={look} type="submit" busy={busy}>
        {action}
      </Button>
      <Button look="ghost" onClick={onBack}>
        Back
      </Button>
    </div>
  )
}
