import type * as z from 'zod'
import type { AnyRoute } from './define.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { Nothing } from './http/empty.ts'
import { Problem } from './model/problem.ts'
import { SchemaComponents } from './schema-components.ts'

type Json = Record<string, unknown>

/** The HTTP API as an OpenAPI 3.1 document. */
export function openApiDocument(routes: readonly AnyRoute[]): Json {
  const components = new SchemaComponents()
  const problem = components.of(Problem)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(route, components, problem),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Althing',
      version: '1',
      description:
        'Errors are RFC 9457 problem details; `code` is from one table and never changes its meaning.',
    },
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        session: { type: 'apiKey', in: 'cookie', name: 'althing.session_token', description: 'A sign-in.' },
      },
    },
  }
}

function operation(route: AnyRoute, components: SchemaComponents, problem: Json): Json {
  const body = route.body === Nothing ? undefined : components.of(route.body, 'input')
  return {
    operationId: route.name,
    summary: route.doc,
    tags: [route.tag],
    security: route.access === 'public' ? [] : [{ apiKey: [] }, { session: [] }],
    parameters: [...pathParameters(route.path), ...queryParameters(route.query, components)],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: { ...successes(route, components), ...failures(codesOf(route), problem) },
  }
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: z.ZodType, components: SchemaComponents): Json[] {
  const { properties = {}, required = [] } = components.of(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function successes(route: AnyRoute, components: SchemaComponents): Json {
  const entries = Object.entries(route.responses).map(([status, schema]) => [
    status,
    schema === null
      ? { description: 'Done' }
      : {
          description: 'Success',
          content: { [route.produces ?? 'application/json']: { schema: components.of(schema) } },
        },
  ])
  return Object.fromEntries(entries)
}

/** What a route may answer besides its own: nobody signed in, the wrong person, another site. */
function codesOf(route: AnyRoute): ErrorCode[] {
  const general: ErrorCode[] = route.access === 'public' ? [] : ['not_authenticated']
  if (route.access === 'administrator' || (route.access === 'user' && route.method !== 'GET')) {
    general.push('forbidden')
  }
  if (route.method !== 'GET') general.push('untrusted_origin')
  return [...new Set([...route.errors, ...general])]
}

function failures(codes: readonly ErrorCode[], problem: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].map(([status, names]) => [
    String(status),
    {
      description: names.map((name) => `\`${name}\`: ${ERRORS[name].title}`).join('; '),
      content: { 'application/problem+json': { schema: problem } },
    },
  ])
  return Object.fromEntries(entries)
}
