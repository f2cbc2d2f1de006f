import type { QuestionCard } from '@althing/protocol/model/inbox'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { answerQuestion } from '../../api/approvals.ts'
import { inboxQuery } from '../../api/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import './asked.css'

/** Answers what an agent asks: one of its options, or words of one's own. */
export function QuestionForm({ card }: { card: QuestionCard }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const answer = useMutation({
    mutationFn: (words: string) => answerQuestion(card.id, words),
    onError: (error) => toast('The answer was not taken', sentence(error)),
    onSettled: () => client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
  })
  const options = card.options ?? []
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (text.trim() !== '' && !answer.isPending) answer.mutate(text.trim())
  }
  return (
    <form className="asked-form" onSubmit={submit}>
      {options.length > 0 && (
        <div className="row row-wrap">
          {options.map((option) => (
            <Button key={option} busy={answer.isPending} onClick={() => answer.mutate(option)}>
              {option}
            </Button>
          ))}
        </div>
      )}
      <TextField
        label={options.length > 0 ? 'Or in your own words' : 'Your answer'}
        maxLength={20_000}
        rows={2}
        value={text}
        onChange={setText}
      />
      <div className="row">
        <Button look="primary" type="submit" busy={answer.isPending} disabled={text.trim() === ''}>
          Answer
        </Button>
      </div>
    </form>
  )
}
