/** The demo as it is shipped, on a service of its own. */
import { expect, it } from 'vitest';
import { runDemo } from '../../demo/demo.js';
import { Screen } from '../../demo/screen.js';
import { scenarios } from '../../src/sandbox/scenarios/stories.js';
import { type Client, newMerchant, tokenOf } from '../harness/access.js';
import { browserPath } from '../harness/browser.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';

const running = useRemesa({ hasRates: true });
const columns = 80;
let merchants = 0;

interface Wanted {
  readonly isList?: boolean;
  readonly url?: string;
  readonly isColour?: boolean;
  readonly browser?: string;
  readonly client?: Client;
  /** Somebody presses Ctrl-C when this has been written. */
  readonly stopAt?: string;
}

/** Each demo has a merchant of its own, so that they run at once. */
function ownMerchant(): Promise<Client> {
  merchants += 1;
  return newMerchant(running.service.database, `demo-${merchants}`);
}

/** What the demo wrote, and whether everything happened. */
async function demo(story?: string, wanted: Wanted = {}) {
  const { clientId, clientSecret } = wanted.client ?? (await ownMerchant());
  const stopping = new AbortController();
  let text = '';
  const screen = new Screen({
    write(written) {
      text += written;
      if (wanted.stopAt !== undefined && text.includes(wanted.stopAt)) stopping.abort();
    },
    ...{ isColour: wanted.isColour ?? false, paceMs: 0, width: columns, signal: stopping.signal },
  });
  const outcome = await runDemo({
    ...{
      url: wanted.url ?? running.service.url,
      isKept: true,
      screen,
      story,
      isList: wanted.isList ?? false,
    },
    credentials: { clientId, clientSecret },
    findBrowser: async () => wanted.browser,
  });
  return { outcome, text };
}

const partsOfTransfer = [
  'POST /oauth/token',
  'POST /user',
  'POST /kyc/links',
  'You are verified',
  'kyc.approved',
  'POST /rates',
  'POST /beneficiaries',
  'POST /orders',
  'POST /sandbox/payments',
  'order.completed',
  'every journal sums to zero',
  'all signed, with no number missing',
  'Receipt',
  'Where to look next',
  'Everything really happened.',
];

function expectWholeTransfer({ outcome, text }: Awaited<ReturnType<typeof demo>>): void {
  expect([outcome, outcome === 'happened' ? '' : text]).toEqual(['happened', '']);
  const places = partsOfTransfer.map((part) => text.indexOf(part));
  expect(places).toEqual([...places].sort((left, right) => left - right));
  expect(places).not.toContain(-1);
}

it('plays a whole transfer, from the token to the receipt, and shows each part of it', async () => {
  const played = await demo();
  expectWholeTransfer(played);
  expect(played.text).toContain('There is no browser, so the form is filled in over HTTP');
  expect(played.text).toMatch(/v1a,\S+… signs the id, the time and the body/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  expect(played.text).not.toMatch(/\u001b/);
  expect(played.text).not.toMatch(/(?<![\w-])eyJ[\w-]/);
  expect(widest(played.text)).toBeLessThanOrEqual(columns);
});

it('has the form filled in by a real browser where there is one', { timeout: 180_000 }, async (test) => {
  const browser = await browserPath();
  if (browser === undefined) return test.skip('there is no browser');
  const played = await demo(undefined, { browser });
  expectWholeTransfer(played);
  expect(played.text).toContain('A real browser fills in the form');
});

it('plays the stories to their end, in lines that fit the screen', { timeout: 300_000 }, async () => {
  const chosen = scenarios.filter((_, index) => index % rounds(3, 1) === 0);
  const played = await Promise.all(chosen.map(({ name }) => demo(name)));
  const failed = played.filter(({ outcome }) => outcome !== 'happened').map(({ text }) => text.slice(-400));
  expect(failed).toEqual([]);
  expect(Math.max(...played.map(({ text }) => widest(text)))).toBeLessThanOrEqual(columns);
});

it('lists the stories, in colour where there is a terminal', async () => {
  const { outcome, text } = await demo(undefined, { isList: true, isColour: true });
  expect(outcome).toBe('happened');
  expect(text).toContain('returned_after_completion');
  expect(text).toContain('\u001b[1;36mRemesa');
});

it('fails when the service does not know the client, and says what to check', async () => {
  const { outcome, text } = await demo(undefined, {
    client: { ...(await ownMerchant()), clientId: 'nobody' },
  });
  expect(outcome).toBe('failed');
  expect(text).toContain('Check --client-id and --client-secret.');
});

it('fails when there is no such story, and names all of them', async () => {
  const { outcome, text } = await demo('no_such_story');
  expect(outcome).toBe('failed');
  expect(text).toContain('There is no story no_such_story.');
  for (const { name } of scenarios) expect(text).toContain(name);
});

it('leaves the receiver of the merchant that it signs in with alone, also when it is interrupted', async () => {
  const client = await ownMerchant();
  const token = await tokenOf(running, client);
  const path = '/merchant/webhook/order-notification';
  await running.api.post(path, { token, body: { url: 'http://127.0.0.1:9/mine' } });
  const { outcome, text } = await demo(undefined, { client, stopAt: 'Register a user' });
  expect([outcome, text.includes('Stopped.')]).toEqual(['stopped', true]);
  const { endpoints } = (await running.api.get('/merchant/webhook', { token })).json;
  expect(endpoints.map(({ channel, url }: Record<string, string>) => [channel, url])).toEqual([
    ['order', 'http://127.0.0.1:9/mine'],
  ]);
});

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length));
}
