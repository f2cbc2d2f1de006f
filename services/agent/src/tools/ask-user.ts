import { AppError } from '@althing/protocol/errors'
import { type BuiltIn, WAITS } from './built-in.ts'

const MOST_OPTIONS = 12

export interface UserQuestion {
  readonly text: string
  readonly options: readonly string[]
}

/** Asks the person; the answer comes as the result, in a minute or a day later. */
export function askUser(ask: (callId: string, question: UserQuestion) => Promise<void>): BuiltIn {
  return {
    name: 'ask_user',
    description: 'Asks the person a question and waits for the answer. Only for what you cannot find out.',
    schema: {
      type: 'object',
      properties: {
        question: { type: 'string', maxLength: 4000 },
        options: {
          type: 'array',
          items: { type: 'string', maxLength: 200 },
          maxItems: MOST_OPTIONS,
          description: 'Answers to choose from. Any other text may come too.',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    parallel: true,
    async run({ question, options = [] }, { callId }) {
      if (typeof question !== 'string' || question.trim() === '')
        throw new AppError('invalid_request', 'question: say what you want to know')
      await ask(callId, { text: question, options: options as string[] })
      return WAITS
    },
  }
}
