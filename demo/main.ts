/** The command line of the demo: reads the options, finds or starts a service, and returns the exit code. */
import { parseArgs } from 'node:util';
import { runDemo } from './demo.js';
import { Screen } from './screen.js';
import { findOrStartService } from './service.js';

const usage = `npm run demo                        plays a whole transfer
npm run demo -- --story <name>      plays a story of the sandbox
npm run demo -- --list              lists the stories

  --url <url>             the service; absent: the sandbox on PORT (3000), or one that
                          is started for the demo and stopped at its end
  --client-id <id>        the client id of a merchant (demo); it creates another one for the demo
  --client-secret <text>  its secret (demo-secret)
  --pace <milliseconds>   how long to wait after each step (700 on a terminal, 0 elsewhere)
  --fast                  the same as --pace 0
  --no-browser            fills in the form over HTTP

Exits with 0 if everything really happened, with 1 if not, with 2 after a wrong option.
`;
const exitCodes = { happened: 0, failed: 1, stopped: 130 } as const;
const wrongOption = 2;
const readersPaceMs = 700;
const usualColumns = 80;
/** npm forwards a Ctrl-C that the terminal has sent us too, so only a later signal counts as the second one. */
const sameSignalWithinMs = 1_000;

export async function main(root: string, findBrowser: () => Promise<string | undefined>): Promise<number> {
  const values = readOptions();
  if (typeof values === 'number') return values;
  const { isTTY = false, columns = usualColumns } = process.stdout;
  const signal = stopSignal();
  const screen = new Screen({
    write: (text) => process.stdout.write(text),
    isColour: isTTY && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb',
    paceMs: values.fast ? 0 : Number(values.pace ?? (isTTY ? readersPaceMs : 0)),
    ...{ width: columns, signal },
  });
  const say = (text: string) => screen.note(text);
  const service = await findOrStartService({ root, url: values.url, say, signal }).catch((error: Error) => {
    screen.failure(signal.aborted ? 'Stopped.' : error.message);
  });
  if (!service) return signal.aborted ? exitCodes.stopped : exitCodes.failed;
  try {
    const outcome = await runDemo({
      ...{ url: service.url, isKept: service.isKept, screen, story: values.story, isList: values.list },
      credentials: { clientId: values['client-id'], clientSecret: values['client-secret'] },
      findBrowser: values.browser ? findBrowser : async () => undefined,
    });
    return exitCodes[outcome];
  } finally {
    await service.stop();
  }
}

/** Returns the exit code when there is nothing to play. */
function readOptions() {
  try {
    const { values } = parseArgs({
      allowNegative: true,
      options: {
        story: { type: 'string' },
        list: { type: 'boolean', default: false },
        pace: { type: 'string' },
        fast: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
        url: { type: 'string' },
        'client-id': { type: 'string', default: 'demo' },
        'client-secret': { type: 'string', default: 'demo-secret' },
      },
    });
    if (!/^\d{0,6}$/.test(values.pace ?? '')) throw new Error('--pace needs milliseconds');
    if (!values.help) return values;
    process.stdout.write(usage);
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}.\n\n${usage}`);
    return wrongOption;
  }
}

/** The first signal ends the demo in order, the second one at once. A reader that has gone (`| head`) ends it too. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  const stop = () => {
    if (firstAt !== undefined && performance.now() - firstAt > sameSignalWithinMs) process.exit(130);
    firstAt ??= performance.now();
    stopping.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  process.stdout.on('error', () => stopping.abort());
  return stopping.signal;
}
