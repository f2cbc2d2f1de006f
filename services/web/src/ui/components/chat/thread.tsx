import type { Session } from '@althing/protocol/model/session'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { MessageView, Thinking } from './message-view.tsx'
import { nestedIn, nestedOf } from './nested.ts'
import './thread.css'

/** So near to the end a person counts as reading along. */
const NEAR_END_PX = 80

/** The messages. It follows the end while the person is there, and stays put when they read further up. */
export function Thread({ session, children }: { session: Session; children?: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const nested = useMemo(() => nestedOf(session.messages), [session.messages])
  const own = session.messages.filter((message) => message.parent_call_id === undefined)
  const last = own.at(-1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the chat may have made it longer
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight
  }, [session])

  // What is lazy grows after the render, and the composer takes from the height.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element?.firstElementChild == null) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [])

  return (
    <section
      className="thread"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
      tabIndex={0}
      ref={scroller}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX
      }}
    >
      {/* A message that still grows is busy: it is read out when it is whole. */}
      <div className="thread-column" role="log" aria-live="polite" aria-relevant="additions">
        {own.map((message) => (
          <MessageView key={message.id} message={message} nested={nestedIn(message, nested)} />
        ))}
        {session.state === 'running' && last?.role === 'user' && <Thinking />}
        {children}
      </div>
    </section>
  )
}
