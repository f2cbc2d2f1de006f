import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Explanation } from '../../ui/failed.tsx'
import { explain } from '../../words/errors.ts'
import './composer.css'

interface ComposerProps {
  /** Rejects when the message could not be sent; the text stays then. */
  readonly onSend: (content: string) => Promise<unknown>
  readonly onStop?: (() => Promise<unknown>) | undefined
  /** A turn runs: what is sent now enters at its next round. */
  readonly running: boolean
  /** A model is connected. What failed for want of one is forgotten when it comes. */
  readonly ready: boolean
}

export function Composer({ onSend, onStop, running, ready }: ComposerProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [stopping, setStopping] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const area = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = text === '' ? '' : `${Math.min(element.scrollHeight, 240)}px`
  }, [text])

  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) area.current?.focus()
  }, [])

  useEffect(() => {
    if (!running) setStopping(false)
  }, [running])

  useEffect(() => {
    if (ready) setFailure(undefined)
  }, [ready])

  const send = async (): Promise<void> => {
    const content = text.trim()
    if (content === '' || busy) return
    setBusy(true)
    setFailure(undefined)
    setText('')
    try {
      await onSend(content)
    } catch (error) {
      setText(content)
      setFailure(error)
    } finally {
      setBusy(false)
      area.current?.focus()
    }
  }

  const stop = async (): Promise<void> => {
    setStopping(true)
    try {
      await onStop?.()
    } catch (error) {
      setStopping(false)
      setFailure(error)
    }
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send().catch(console.error)
  }

  return (
    <div className="composer-box">
      {failure !== undefined && <Explanation explained={explain(failure)} />}
      <div className="card composer-card">
        <textarea
          ref={area}
          aria-label="Message"
          rows={2}
          maxLength={200_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={
            running
              ? 'Write a message. It enters at the next round while the agent works.'
              : 'Write a message.'
          }
        />
        <div className="row">
          <span className="tiny muted desk">
            <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> starts a new line
          </span>
          <span className="row end">
            {running && onStop !== undefined && (
              <Button look="danger" onClick={stop} busy={stopping}>
                Stop
              </Button>
            )}
            <Button look="primary" onClick={send} disabled={text.trim() === ''} busy={busy}>
              Send
            </Button>
          </span>
        </div>
      </div>
    </div>
  )
}
