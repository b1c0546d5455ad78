/** Metrics for Prometheus: request times by route, the pool, requests in flight, the event loop. Nothing personal. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from '../../postgres/database.js';

export interface Gauges {
  poolUse(): PoolUse;
  requestsInFlight(): number;
  /** For each queue, the seconds since its oldest row became due. */
  queueAges(): Promise<ReadonlyMap<string, number>>;
}

export interface RoomGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Returns the figures by the value of the label. */
  readonly read: () => Promise<ReadonlyMap<string, number>>;
}

/** Figures of this process that only grow. */
export interface RoomCounter extends Omit<RoomGauge, 'read'> {
  readonly read: () => Iterable<readonly [string, number]>;
}

export interface TrafficGauges {
  arriving(): readonly (readonly [lane: string, requests: number])[];
  working(): readonly (readonly [lane: string, requests: number])[];
  connections(): number;
  streams(): number;
  live(): number;
}

let ofProcess: Registry | undefined;

/**
 * Memory, event loop and garbage collection. Measured once for the process: prom-client never stops its timers and
 * observers.
 */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export class Metrics {
  readonly registry = Registry.merge([processMetrics()]);
  readonly #requestSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly #listeners: TrafficGauges[] = [];
  readonly #dropped: Counter<'lane' | 'reason'>;

  /** Finding a series by its labels takes as long as everything else that is measured. */
  readonly #observers = new Map<string, { observe(seconds: number): void }>();

  constructor(gauges: Gauges) {
    const registers = [this.registry];
    this.#requestSeconds = new Histogram({
      name: 'remesa_http_request_seconds',
      help: 'Time from the request line to the end of the answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#dropped = new Counter({
      name: 'remesa_http_dropped_total',
      help: 'Requests and connections that were refused or cut off, by lane and reason.',
      labelNames: ['lane', 'reason'],
      registers,
    });
    this.watch({
      name: 'remesa_database_connections',
      help: 'Connections of the pool by what they do, and requests waiting for one.',
      label: 'state',
      async read() {
        const { total, idle, waiting } = gauges.poolUse();
        return new Map(Object.entries({ busy: total - idle, idle, waiting }));
      },
    });
    this.watchFigure('remesa_http_requests_in_flight', 'Requests that are being worked on.', gauges.requestsInFlight);
    this.watch({
      name: 'remesa_queue_age_seconds',
      help: 'How long the oldest waiting row of a queue has been due.',
      label: 'queue',
      read: gauges.queueAges,
    });
  }

  /** Adds a gauge of a room. It is read when the metrics are requested. */
  watch({ name, help, label, read }: RoomGauge): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        // A gauge that cannot be read must not break the others.
        const values = await read().catch(() => new Map<string, number>());
        this.reset();
        for (const [value, count] of values) this.set({ [label]: value }, count);
      },
    });
  }

  /** Adds figures that only grow, and are counted elsewhere. */
  count({ name, help, label, read }: RoomCounter): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  }

  /** What this process is. */
  describeBuild(labels: Readonly<Record<'version' | 'mode' | 'role', string>>): void {
    const labelNames = ['version', 'mode', 'role'];
    const registers = [this.registry];
    new Gauge({ name: 'remesa_build_info', help: 'Always 1.', labelNames, registers }).set(labels, 1);
  }

  /** Adds a gauge of a single figure. It is NaN while it cannot be read. */
  watchFigure(name: string, help: string, read: () => Promise<number> | number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await Promise.resolve(read()).catch(() => Number.NaN));
      },
    });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let observer = this.#observers.get(key);
    if (!observer) {
      observer = this.#requestSeconds.labels(method, route, String(status));
      this.#observers.set(key, observer);
    }
    observer.observe(seconds);
  }

  countDropped(lane: string, reason: string): void {
    this.#dropped.inc({ lane, reason });
  }

  /** Sums the figures of all listeners of this process. They work on requests together, so those are counted once. */
  watchTraffic(gauges: TrafficGauges): void {
    const listeners = this.#listeners;
    if (listeners.push(gauges) > 1) return;
    const registers = [this.registry];
    new Gauge({
      name: 'remesa_http_requests',
      help: 'Requests by lane: body still arriving, or being worked on.',
      labelNames: ['lane', 'stage'],
      registers,
      collect() {
        this.reset();
        for (const [lane, requests] of listeners.flatMap((listener) => listener.arriving()))
          this.inc({ lane, stage: 'arriving' }, requests);
        for (const [lane, requests] of gauges.working()) this.set({ lane, stage: 'working' }, requests);
      },
    });
    this.watchFigure('remesa_http_connections', 'Open connections.', () => sumOf(listeners, 'connections'));
    this.watchFigure('remesa_http_streams', 'Streamed answers on their way.', () => sumOf(listeners, 'streams'));
    this.watchFigure('remesa_http_live_answers', 'Pages that follow something live.', () => sumOf(listeners, 'live'));
  }
}

function sumOf(listeners: readonly TrafficGauges[], figure: 'connections' | 'streams' | 'live'): number {
  return listeners.reduce((sum, listener) => sum + listener[figure](), 0);
}
