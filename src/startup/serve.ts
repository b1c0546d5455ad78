/** The life of a running service: it ends on a signal once everything under way is done, or at once when it must. */
import type { Service } from '../app.js';
import type { LogSink } from '../log.js';

/** npm passes on a Ctrl-C that the terminal has sent us already, so only a later signal counts as the second one. */
const sameSignalWithinMs = 1_000;

/** From before it is up, so that a start that is called off leaves no database running behind it. */
export function serveUntilSignal(
  starting: Promise<Service>,
  sink: LogSink,
  say: (message: string) => void,
): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      say(`${signal}: finishing what is under way (again to end at once) …`);
      stop(starting, sink);
    } else if (performance.now() - firstAt > sameSignalWithinMs) {
      say('Ending at once.');
      end(sink, 130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function stop(starting: Promise<Service>, sink: LogSink): void {
  starting
    .then((service) => service.stop())
    .then(
      () => end(sink, 0),
      (error) => {
        sink.log.fatal({ err: error }, 'stopping failed');
        end(sink, 1);
      },
    );
}

/** Going on after an error that nobody foresaw would be guessing with people's money. */
export function endOnUnforeseenError(sink: LogSink): void {
  process.on('uncaughtException', (error) => {
    sink.log.fatal({ err: error }, 'unforeseen error; the process ends');
    end(sink, 1);
  });
}

export function end(sink: LogSink, code: number): void {
  sink.flush();
  process.exit(code);
}
