#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { listenHttp } from './http.ts'
import { createDemo } from './server.ts'

/** `elicitation-demo` speaks over its pipes, `elicitation-demo --http 3001` over HTTP on loopback. */
const { values } = parseArgs({ options: { http: { type: 'string' } } })

if (values.http === undefined) {
  serveStdio(createDemo)
} else {
  const server = listenHttp(Number(values.http))
  server.once('listening', () => process.stderr.write(`listening on port ${values.http}\n`))
}
