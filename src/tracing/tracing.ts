/**
 * Traces by OpenTelemetry: requests, commands, statements by name, deliveries and jobs. Nothing is done unless the
 * operator loads an SDK before the service (`deploy/otel`). No attribute holds personal data: names of routes,
 * statements and jobs, ids, states and codes.
 */
import {
  type Attributes,
  context,
  type Link,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { version } from '../version.js';

export interface NewSpan {
  readonly name: string;
  readonly kind?: 'internal' | 'client' | 'producer';
  readonly attributes?: Attributes;
  /** Traceparent of what caused it, in a trace of its own. */
  readonly causedBy?: string | undefined;
}

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER } as const;

/** Undefined when no SDK is loaded. */
function tracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  const isProxy = provider instanceof ProxyTracerProvider;
  return isProxy ? provider.getDelegateTracer('remesa', version) : provider.getTracer('remesa', version);
}

/** Does the work in a span, which knows its error by name or code. */
export function traced<Result>(span: () => NewSpan, work: () => Promise<Result>): Promise<Result> {
  const active = tracer();
  if (!active) return work();
  const { name, kind = 'internal', attributes = {}, causedBy } = span();
  const links = linksTo(causedBy);
  return active.startActiveSpan(name, { kind: kinds[kind], attributes, links }, async (begun) => {
    try {
      return await work();
    } catch (error) {
      markFailed(begun, error);
      throw error;
    } finally {
      begun.end();
    }
  });
}

export interface TracedRequest {
  readonly method: string;
  /** The declared path, without the ids that the caller has put into it. */
  readonly path: string;
  readonly operationId: string;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Calls back when the answer has left, or the caller has gone, with the status. */
  readonly onClose: (close: (status: number) => void) => void;
}

/** Handles the request in a span, which continues the trace of the caller. It ends with the answer. */
export function tracedRequest(request: () => TracedRequest, handle: () => unknown): unknown {
  const active = tracer();
  if (!active) return handle();
  const { method, path, operationId, requestId, headers, onClose } = request();
  const caller = propagation.extract(ROOT_CONTEXT, headers);
  const attributes: Attributes = {
    'http.request.method': method,
    'http.route': path,
    'remesa.operation': operationId,
    'remesa.request_id': requestId,
  };
  const span = active.startSpan(`${method} ${path}`, { kind: SpanKind.SERVER, attributes }, caller);
  onClose((status) => {
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  return context.with(trace.setSpan(caller, span), handle);
}

/** Adds what is only known later to the span of the work that runs now. */
export function describeSpan(attributes: () => Attributes): void {
  if (tracer()) trace.getActiveSpan()?.setAttributes(attributes());
}

/** The span of the work that runs now, as a header carries it. Undefined when it is not recorded. */
export function traceparent(): string | undefined {
  const span = tracer() && trace.getActiveSpan();
  if (!span?.isRecording()) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function linksTo(cause: string | undefined): Link[] {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(cause ?? '') ?? [];
  return traceId && spanId ? [{ context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } }] : [];
}

/** The message of an error may quote what a person has typed. */
function markFailed(span: Span, error: unknown): void {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
}

/** Longer than a collector that answers takes; the process does not wait for one that does not. */
const endsWithinMs = 5_000;

/** Sends the spans that wait, before the process ends. */
export async function endTracing(): Promise<void> {
  const provider = trace.getTracerProvider();
  const sdk = (provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider) as {
    readonly shutdown?: () => Promise<void>;
  };
  if (!sdk.shutdown) return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, endsWithinMs).unref());
  await Promise.race([sdk.shutdown().catch(() => {}), late]);
}
