/** Ends the process: after a signal, once all running work is done; at once after a second signal or a fatal error. */
import type { Service } from '../app.js';
import type { LogSink } from '../log.js';
import { endTracing } from '../tracing/tracing.js';
import { version } from '../version.js';

/** npm forwards a Ctrl-C that the terminal has sent us too, so only a later signal counts as the second one. */
const sameSignalWithinMs = 1_000;

/** Handles signals from the beginning of the start, so that an interrupted start leaves no database running. */
export function serveUntilSignal(starting: Promise<Service>, sink: LogSink, say: (message: string) => void): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      say(`${signal}: finishing running work. Send it again to stop at once.`);
      stop(starting, sink);
    } else if (performance.now() - firstAt > sameSignalWithinMs) {
      say('Stopping at once.');
      flushAndExit(sink, 130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function stop(starting: Promise<Service>, sink: LogSink): void {
  starting
    .then((service) => service.stop())
    .then(endTracing)
    .then(
      () => {
        sink.log.info({ version }, 'service stopped');
        flushAndExit(sink, 0);
      },
      (error) => {
        sink.log.fatal({ err: error }, 'stopping failed');
        flushAndExit(sink, 1);
      },
    );
}

/** Exits after an uncaught error, because the state of the process is unknown and people's money depends on it. */
export function exitOnUnexpectedError(sink: LogSink): void {
  process.on('uncaughtException', (error) => {
    sink.log.fatal({ err: error }, 'unexpected error; the process ends');
    flushAndExit(sink, 1);
  });
}

export function flushAndExit(sink: LogSink, code: number): void {
  sink.flush();
  process.exit(code);
}
