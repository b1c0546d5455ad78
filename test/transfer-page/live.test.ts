/** How the page of a transfer follows its order. */
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { cancel, operate, orderJobNames, placed, sender } from '../orders/orders.js';
import { drive, paidOrder, storedOrder } from '../orders/paid.js';
import { newLink, visit } from './links.js';
import { type Following, follow } from './live-pages.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });

async function following(url: string, lastEventId?: string): Promise<Following> {
  const page = await follow(url, lastEventId);
  onTestFinished(() => page.close());
  return page;
}
const versionIn = ({ html }: { html: string }) => /data-version="(\d+)"/.exec(html)?.[1];

it('tells the version that the page shows, and each new one', async () => {
  const { id } = await placed(running, await sender(running));
  const { url } = await newLink(running, id);
  const page = await following(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await eventually(() => page.ids().length === 1);
  expect(page.ids()).toEqual([versionIn(await visit(url))]);
  await drive(running, await storedOrder(running, id), 'refer');
  await eventually(() => page.ids().length === 2);
  expect(page.ids().at(-1)).toBe(versionIn(await visit(url)));
});

it('tells a browser that connects again only what it has not seen', async () => {
  const { id } = await placed(running, await sender(running));
  const { url } = await newLink(running, id);
  const seen = versionIn(await visit(url)) ?? '';
  const again = await following(url, seen);
  const behind = await following(url, '0');
  await eventually(() => behind.ids().length === 1);
  expect(again.ids()).toEqual([]);
  await drive(running, await storedOrder(running, id), 'refer');
  await eventually(() => again.ids().length === 1);
});

it('is silent about a freeze within a review, and about its end', async () => {
  const frozen = await paidOrder(running, await sender(running));
  const other = await placed(running, await sender(running));
  await operate(running, frozen.orderId, 'refer');
  const page = await following((await newLink(running, frozen.orderId)).url);
  const beacon = await following((await newLink(running, other.id)).url);
  await eventually(() => page.ids().length === 1 && beacon.ids().length === 1);
  await operate(running, frozen.orderId, 'freeze');
  await operate(running, frozen.orderId, 'release');
  // Told later than a change of the frozen order would have been.
  await drive(running, await storedOrder(running, other.id), 'refer');
  await eventually(() => beacon.ids().length === 2);
  expect(page.ids()).toHaveLength(1);
});

it('tells of a freeze what it tells of a review, event by event', async () => {
  const watched = await Promise.all(
    ['freeze', 'refer'].map(async (verb) => {
      const order = await paidOrder(running, await sender(running));
      return { id: order.orderId, verb, page: await following((await newLink(running, order.orderId)).url) };
    }),
  );
  const [frozen, ordinary] = watched as [(typeof watched)[0], (typeof watched)[0]];
  const tellsTheSame = async (events: number) => {
    await eventually(() => watched.every(({ page }) => page.ids().length === events));
    await eventually(() => frozen.page.text() === ordinary.page.text());
  };
  await tellsTheSame(1);
  for (const { id, verb } of watched) await operate(running, id, verb);
  await tellsTheSame(2);
  await operate(running, frozen.id, 'release');
  for (const { id } of watched) await operate(running, id, 'approve');
  await tellsTheSame(3);
});

it('ends when the link is withdrawn, and tells nothing of other orders', async () => {
  const { id } = await placed(running, await sender(running));
  const link = await newLink(running, id);
  const page = await following(link.url);
  await eventually(() => page.ids().length === 1);
  await running.api.call('DELETE', `/orders/${id}/links/${link.id}`, { token: running.acme.token });
  await page.ended();
  expect((await follow(link.url)).status).toBe(204);
});

it('opens for a link that works and an order that goes on, and for nothing else', async () => {
  const { id } = await placed(running, await sender(running));
  const { url } = await newLink(running, id);
  for (const guess of [`${url.slice(0, -2)}AA`, `${running.service.url}/transfer/x`])
    expect((await follow(guess)).status).toBe(204);
  await cancel(running, id);
  expect((await follow(url)).status).toBe(204);
});

it('lets a page that cannot follow ask whether it is still the newest', async () => {
  const { id } = await placed(running, await sender(running));
  const { url } = await newLink(running, id);
  const seen = versionIn(await visit(url));
  expect((await visit(`${url}?seen=${seen}`)).status).toBe(204);
  await drive(running, await storedOrder(running, id), 'refer');
  const newer = await visit(`${url}?seen=${seen}`);
  expect([newer.status, versionIn(newer)]).toEqual([200, '2']);
});

it('follows at most eight times with one link', async () => {
  const { id } = await placed(running, await sender(running));
  const { url } = await newLink(running, id);
  const statuses: number[] = [];
  for (let page = 0; page < 9; page += 1) statuses.push((await following(url)).status);
  expect(statuses).toEqual([...Array(8).fill(200), 204]);
});
