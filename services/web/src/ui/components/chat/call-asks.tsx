import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inboxQuery } from '../../api/inbox.ts'
import { paths } from '../../paths.ts'
import { ApprovalForm } from '../asked/approval-form.tsx'
import { RiskTag } from '../asked/asked-card.tsx'
import { QuestionForm } from '../asked/question-form.tsx'

/** What a call that waits wants of its person, answered in place; a card elsewhere is the same one. */
export function CallAsks({ call }: { call: string }) {
  const { data: inbox } = useQuery(inboxQuery)
  const approval = inbox?.approvals.find(({ call_id }) => call_id === call)
  const question = inbox?.questions.find(({ call_id }) => call_id === call)
  if (approval !== undefined)
    return (
      <div className="tool-asks">
        <p className="row row-wrap small">
          May it run? <RiskTag card={approval} />
        </p>
        <ApprovalForm card={approval} />
      </div>
    )
  if (question !== undefined)
    return (
      <div className="tool-asks">
        <p className="tool-question">{question.question}</p>
        <QuestionForm card={question} />
      </div>
    )
  return (
    <p className="tool-note">
      It waits for a person. <Link to={paths.inbox}>Open the inbox</Link>
    </p>
  )
}
