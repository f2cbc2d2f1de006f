import * as z from 'zod'

/** A name of the IANA time zone database, such as `Europe/Berlin`. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'not a time zone; use a name such as Europe/Berlin or UTC')
  .meta({ id: 'TimeZone' })

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +02:00 is taken by this constructor too, and has no daylight saving.
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** A time of day, as a clock on the wall shows it: `07:30`. */
export const TimeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'use HH:MM, from 00:00 to 23:59')
  .meta({ id: 'TimeOfDay' })
