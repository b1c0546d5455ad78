/** The command line of the demo: reads the options, finds or starts a service, and sets the exit code. */
import { parseArgs } from 'node:util';
import { runDemo } from './demo.js';
import { Screen } from './screen.js';
import { findOrStartService } from './service.js';

const usage = `npm run demo                        plays a whole transfer
npm run demo -- --story <name>      plays a story of the sandbox
npm run demo -- --list              lists the stories

  --url <url>             the service; absent: the one at PORT, or one that is started and stopped again
  --client-id <id>        the client id of the merchant (demo)
  --client-secret <text>  its secret (demo-secret)
  --fast                  does not wait for readers
  --no-browser            fills in the form over HTTP
`;
const readersPaceMs = 700;

export async function main(root: string, findBrowser: () => Promise<string | undefined>): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      story: { type: 'string' },
      list: { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
      browser: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
      url: { type: 'string' },
      'client-id': { type: 'string', default: 'demo' },
      'client-secret': { type: 'string', default: 'demo-secret' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const { isTTY = false, columns = 100 } = process.stdout;
  const screen = new Screen({
    write: (text) => process.stdout.write(text),
    isColour: isTTY && process.env.NO_COLOR === undefined,
    paceMs: isTTY && !values.fast ? readersPaceMs : 0,
    width: columns,
  });
  const service = await findOrStartService(root, values.url, (text) => screen.note(text));
  try {
    const isGood = await runDemo({
      ...{ url: service.url, screen, story: values.story, isList: values.list },
      credentials: { clientId: values['client-id'], clientSecret: values['client-secret'] },
      findBrowser: values.browser ? findBrowser : async () => undefined,
    });
    return isGood ? 0 : 1;
  } finally {
    await service.stop();
  }
}
