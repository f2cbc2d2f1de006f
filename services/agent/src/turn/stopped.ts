import { AppError } from '@althing/protocol/errors'

/** The reason of an abort that a person asked for; any other abort leaves the turn to another worker. */
export const STOPPED = new AppError('cancelled', 'The person stopped it.')
