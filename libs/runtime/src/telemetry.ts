import {
  type Context,
  context,
  isSpanContextValid,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** Metrics always, traces when a collector is named. Disposing sends what is still held. */
export interface Telemetry extends AsyncDisposable {
  /** The metrics in Prometheus' text format. */
  metricsText(): Promise<string>
}

export function openTelemetry(otlpEndpoint: string | undefined): Telemetry {
  const prometheus = new PrometheusExporter({ preventServerStart: true })
  const meters = new MeterProvider({ readers: [prometheus] })
  metrics.setGlobalMeterProvider(meters)
  const tracers = otlpEndpoint ? openTracing(otlpEndpoint) : undefined
  return {
    metricsText: () =>
      new Promise((resolve) => {
        // The exporter answers only to an HTTP exchange; these two members are all that it uses of it.
        const response = { setHeader: () => {}, end: (text: string) => resolve(text) }
        prometheus.getMetricsRequestHandler({} as never, response as never)
      }),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([tracers?.shutdown(), meters.shutdown()])
      metrics.disable()
      trace.disable()
    },
  }
}

function openTracing(endpoint: string): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const tracers = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  trace.setGlobalTracerProvider(tracers)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  return tracers
}

/** The W3C headers of the active trace, or null when nothing is traced. */
export function traceHeaders(): Record<string, string> | null {
  const span = trace.getActiveSpan()
  if (!span || !isSpanContextValid(span.spanContext())) return null
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

export function contextFrom(traceparent: string | undefined): Context {
  if (!traceparent) return context.active()
  return propagation.extract(context.active(), { traceparent })
}

/** Runs `work` in a span; a failure marks it. Costs next to nothing when nothing is traced. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  return trace.getTracer('althing').startActiveSpan(name, { kind }, parent, async (span: Span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

export { SpanKind }
