/** The demo as it is shipped, on a service of its own. */
import { expect, it } from 'vitest';
import { runDemo } from '../../demo/demo.js';
import { Screen } from '../../demo/screen.js';
import { scenarios } from '../../src/sandbox/scenarios/stories.js';
import { newMerchant } from '../harness/access.js';
import { useOrdersService } from '../orders/orders.js';

const running = useOrdersService();
let merchants = 0;

/** What the demo wrote, and whether everything happened. Each has a merchant of its own, so that they run at once. */
async function demo(story?: string, more: { isList?: boolean; url?: string; isColour?: boolean } = {}) {
  merchants += 1;
  const client = await newMerchant(running.service.database, `demo-${merchants}`);
  let text = '';
  const screen = new Screen({
    write: (written) => {
      text += written;
    },
    ...{ isColour: more.isColour ?? false, paceMs: 0, width: 100 },
  });
  const isGood = await runDemo({
    ...{ url: more.url ?? running.service.url, screen, story, isList: more.isList ?? false },
    credentials: { clientId: client.clientId, clientSecret: client.clientSecret },
    findBrowser: async () => undefined,
  });
  return { isGood, text };
}

it('plays a whole transfer, from the token to the receipt, and shows each part of it', async () => {
  const { isGood, text } = await demo();
  expect([isGood, isGood ? '' : text]).toEqual([true, '']);
  const parts = [
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
    'Everything really happened.',
  ];
  const places = parts.map((part) => text.indexOf(part));
  expect(places).toEqual([...places].sort((left, right) => left - right));
  expect(places).not.toContain(-1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  expect(text).not.toMatch(/\u001b/);
});

it('plays every story to its end', async () => {
  const played = await Promise.all(scenarios.map(({ name }) => demo(name)));
  const failed = played.filter(({ isGood }) => !isGood).map(({ text }) => text.slice(-400));
  expect(failed).toEqual([]);
}, 180_000);

it('lists the stories, in colour where there is a terminal', async () => {
  const { isGood, text } = await demo(undefined, { isList: true, isColour: true });
  expect(isGood).toBe(true);
  expect(text).toContain('returned_after_completion');
  expect(text).toContain('\u001b[1;36mRemesa');
});

it('fails when there is no such story, and when nothing answers', async () => {
  expect(await demo('no_such_story')).toMatchObject({ isGood: false });
  expect(await demo(undefined, { url: 'http://127.0.0.1:9' })).toMatchObject({ isGood: false });
});
