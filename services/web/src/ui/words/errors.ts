import type { ErrorCode } from '@althing/protocol/errors'
import { ApiError, type FailureCode } from '../api/client.ts'

/** What happened, and what to do next. */
interface Words {
  readonly what: string
  readonly next: string
}

export const ERROR_WORDS: Readonly<Record<ErrorCode, Words>> = {
  invalid_request: { what: 'Something in the form is not right.', next: 'Correct it and send it again.' },
  malformed_json: { what: 'This is not valid JSON.', next: 'Check commas, quotes and brackets.' },
  unknown_action: {
    what: 'This action is not known here.',
    next: 'Reload the page; it may be older than the service.',
  },
  variable_missing: {
    what: 'The configuration names a variable that is not set.',
    next: 'Set the variable, or write the value itself.',
  },
  not_authenticated: { what: 'You are not signed in.', next: 'Sign in and go on.' },
  invalid_credentials: { what: 'E-mail or password is wrong.', next: 'Check both and try again.' },
  forbidden: { what: 'You may not do this.', next: 'An administrator can, or can give you the role for it.' },
  untrusted_origin: {
    what: 'This address of Althing is not trusted.',
    next: 'Open Althing at the address it was set up with.',
  },
  address_not_allowed: {
    what: 'This address may not be reached from here.',
    next: 'Use a public address, or let an administrator add the server.',
  },
  not_found: { what: 'It is not there.', next: 'It may have been removed; go back to the list.' },
  server_not_found: {
    what: 'There is no such server.',
    next: 'It may have been removed; look at the list of servers.',
  },
  tool_not_found: {
    what: 'The server has no such tool.',
    next: "Look at the server's tools; the list may have changed.",
  },
  session_not_found: { what: 'There is no such chat.', next: 'It may have been deleted; start a new one.' },
  method_not_allowed: {
    what: 'This cannot be done here.',
    next: 'Reload the page; it may be older than the service.',
  },
  server_name_taken: { what: 'A server of this name exists.', next: 'Choose another name.' },
  conflict: {
    what: 'It was changed or answered in the meantime.',
    next: 'Look at it again before you go on.',
  },
  secret_unreadable: {
    what: 'A secret of this server cannot be read: it was sealed with another master key.',
    next: 'Give the old key as ALTHING_OLD_MASTER_KEYS, or enter the secret again.',
  },
  tool_changed: {
    what: 'The tool is not what it was when it was accepted.',
    next: 'Look at the difference on the page of its server, and accept it if it is right.',
  },
  server_not_running: {
    what: 'The server is not running.',
    next: 'Restart it on its page; its log says why it stopped.',
  },
  set_up_done: { what: 'Althing is set up already.', next: 'Sign in with the account that was made.' },
  too_large: { what: 'This is too large to send.', next: 'Shorten it or send it in parts.' },
  result_too_large: { what: 'The result is too large.', next: 'Ask the tool for less at once.' },
  unsupported_media_type: { what: 'This kind of content is not supported.', next: 'Send JSON.' },
  rate_limited: { what: 'That was too many tries in a short time.', next: 'Wait a minute, then try again.' },
  cancelled: { what: 'It was cancelled.', next: 'Start it again when you want it.' },
  internal: {
    what: 'Something went wrong inside Althing.',
    next: 'Try again; if it stays, an administrator finds the reason in the log.',
  },
  command_not_found: {
    what: 'The command was not found.',
    next: 'Install it where the gateway runs, or give its full path.',
  },
  start_failed: {
    what: 'The server did not start.',
    next: 'Read its log, correct command or address, and restart it.',
  },
  isolation_unavailable: {
    what: 'The isolation that is required cannot be had.',
    next: 'Install bubblewrap where the gateway runs, or let this server start without the sandbox.',
  },
  protocol_error: {
    what: 'The server did not speak MCP.',
    next: 'Check that command or address really is an MCP server.',
  },
  connection_lost: {
    what: 'The server went away during the call.',
    next: 'Nobody knows whether it ran; check before you run it again.',
  },
  needs_auth: {
    what: 'The server asks for a sign-in.',
    next: "Sign in on the server's page, or give it a key or a header in its settings.",
  },
  upstream_error: { what: 'The server answered with an error.', next: 'Its own words say what it needs.' },
  model_error: {
    what: 'The model provider failed.',
    next: 'Try again; if it stays, check key, address and quota.',
  },
  unavailable: { what: 'Nobody serves this at the moment.', next: 'Wait a few seconds and try again.' },
  no_model: { what: 'No model is connected.', next: 'Connect one, or choose the scripted demo.' },
  overloaded: { what: 'Althing is busy.', next: 'Wait a few seconds and try again.' },
  timeout: { what: 'It took too long.', next: 'It may still have run; check before you run it again.' },
  start_timeout: {
    what: 'The server did not start in time.',
    next: 'Read its log; a first start may need a longer time-out.',
  },
  owner_lost: {
    what: 'The service that ran this went away.',
    next: 'Nobody knows whether it finished; check before you run it again.',
  },
}

const OFFLINE: Words = { what: 'Althing cannot be reached.', next: 'Check the connection; nothing is lost.' }

export interface Explained extends Words {
  readonly code: FailureCode
  /** The server's own sentence, where it says more than the code. */
  readonly detail: string
}

export function explainCode(code: FailureCode, detail = ''): Explained {
  const words = code === 'offline' ? OFFLINE : ERROR_WORDS[code]
  return { ...words, code, detail: code === 'offline' ? '' : detail }
}

export function explain(error: unknown): Explained {
  if (error instanceof ApiError) return explainCode(error.code, error.detail)
  return explainCode('internal', error instanceof Error ? error.message : '')
}

/** One line for a toast or under a field: the server's sentence where there is one, else ours, then the next step. */
export function sentence(error: unknown): string {
  const { what, next, detail } = explain(error)
  return `${detail === '' ? what : withStop(detail)} ${next}`
}

function withStop(text: string): string {
  return /[.:)]$/.test(text) ? text : `${text}.`
}
