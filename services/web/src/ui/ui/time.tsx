import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from '../words/time.ts'

/** The time now, renewed every so many milliseconds while it is shown. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A time in words, exact on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow(30_000)
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, now)}
    </time>
  )
}
