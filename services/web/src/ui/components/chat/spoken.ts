import type { Message } from '@althing/protocol/model/session'
import { useEffect, useRef, useState } from 'react'

/** Where the last whole sentence of a growing text ends. */
export function endOfSentences(text: string): number {
  const ends = [...text.matchAll(/[.!?:](?=\s)|\n/g)]
  const last = ends.at(-1)
  return last === undefined ? 0 : last.index + 1
}

/** What a screen reader is told of a growing message: sentence by sentence, each once. */
export function useSpoken(message: Message | undefined): string {
  const told = useRef({ id: '', length: 0 })
  const [spoken, setSpoken] = useState('')
  useEffect(() => {
    if (message === undefined) return
    const { id, content, status } = message
    if (told.current.id !== id) told.current = { id, length: status === 'streaming' ? 0 : content.length }
    const end = status === 'streaming' ? endOfSentences(content) : content.length
    if (end <= told.current.length) return
    setSpoken(content.slice(told.current.length, end))
    told.current.length = end
  }, [message])
  return spoken
}
