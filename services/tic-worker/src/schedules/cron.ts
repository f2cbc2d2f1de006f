import { AppError } from '@althing/protocol/errors'
import { Cron } from 'croner'

/** Five fields or a nickname: the library also takes dates and seconds, which a schedule has not. */
const FORM = /^(?:@[a-z]+|\S+(?:\s+\S+){4})$/

/**
 * When a cron line comes next after a time, as the clocks of its zone show it. An hour that is left out in spring runs
 * at its end; one that comes twice in autumn runs a fixed time of day once.
 */
export class CronTimes {
  readonly #cron: Cron

  /** Throws `invalid_request` with the reason when the line is none, or never comes. */
  constructor(line: string, timeZone: string) {
    try {
      if (!FORM.test(line.trim())) throw new Error('use minute, hour, day of month, month, day of week')
      this.#cron = new Cron(line.trim(), { timezone: timeZone, mode: '5-part', paused: true })
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'not a cron line'
      throw new AppError('invalid_request', `cron: ${reason}`)
    }
  }

  next(after: Date): Date | undefined {
    return this.#cron.nextRun(after) ?? undefined
  }

  nextFew(count: number, after: Date): Date[] {
    return this.#cron.nextRuns(count, after)
  }

  /** The last time that is not after `until`. */
  last(until: Date): Date | undefined {
    // The library leaves the reference itself out, and counts in whole seconds.
    return this.#cron.previousRuns(2, new Date(until.getTime() + 1000)).find((date) => date <= until)
  }
}

/** The times of a line that must come at least once after `now`. */
export function mustBeCron(line: string, timeZone: string, now: Date): CronTimes {
  const times = new CronTimes(line, timeZone)
  if (times.next(now) === undefined) throw new AppError('invalid_request', 'cron: this never comes')
  return times
}
