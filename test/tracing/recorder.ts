/** Records spans in memory, as an SDK that an operator loads would: the smallest provider that the API accepts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface Recorded {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  readonly links: readonly Link[];
}

/** From now on, until `stop`, everything in this process is traced. */
export interface Recording {
  readonly ended: readonly Recorded[];
  readonly wasShutDown: () => boolean;
  readonly stop: () => void;
}

export function recordSpans(): Recording {
  const ended: Recorded[] = [];
  context.setGlobalContextManager(new StoredContexts());
  propagation.setGlobalPropagator(traceparentOnly);
  let isShutDown = false;
  const shutdown = async () => {
    isShutDown = true;
  };
  trace.setGlobalTracerProvider(Object.assign({ getTracer: () => tracerInto(ended) }, { shutdown }));
  return {
    ended,
    wasShutDown: () => isShutDown,
    stop: () => {
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}

function tracerInto(ended: Recorded[]): Tracer {
  const startSpan = (name: string, options: SpanOptions = {}, within: Context = context.active()) => {
    const parent = trace.getSpanContext(within);
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    const attributes = { ...options.attributes };
    const span = {
      spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
      isRecording: () => true,
      setAttribute: (key: string, value: string) => Object.assign(attributes, { [key]: value }) && span,
      setAttributes: (more: Attributes) => Object.assign(attributes, more) && span,
      setStatus: () => span,
      end: () =>
        void ended.push({ name, traceId, spanId, parentId: parent?.spanId, attributes, links: options.links ?? [] }),
    } as unknown as Span;
    return span;
  };
  const startActiveSpan = (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
    const span = startSpan(name, options);
    return context.with(trace.setSpan(context.active(), span), work, undefined, span);
  };
  return { startSpan, startActiveSpan } as unknown as Tracer;
}

class StoredContexts implements ContextManager {
  readonly #contexts = new AsyncLocalStorage<Context>();
  active = () => this.#contexts.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (active, work, self, ...args) =>
    this.#contexts.run(active, () => work.apply(self as never, args));
  bind = <Target>(_context: Context, target: Target) => target;
  enable = () => this;
  disable = () => this;
}

const traceparentOnly: TextMapPropagator = {
  inject: () => {},
  fields: () => ['traceparent'],
  extract: (within, carrier) => {
    const [, traceId, spanId] = String((carrier as { traceparent?: string }).traceparent ?? '').split('-');
    return traceId && spanId ? trace.setSpanContext(within, { traceId, spanId, traceFlags: 1 }) : within;
  },
};
