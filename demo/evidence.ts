/** The end of a story: the timeline, the journal and the receipt of the order, and whether they agree. */
import { type Client, DemoFailed, type Json } from './client.js';
import type { Inbox } from './inbox.js';

/** Throws `DemoFailed` unless notifications, timeline and ledger agree. */
export async function showEvidence(client: Client, inbox: Inbox, orderId: string): Promise<void> {
  const { screen } = client;
  await screen.chapter('What really happened');
  const timeline: Json[] = await client.get(`/orders/${orderId}/timeline`, { show: 'none' });
  showTimeline(client, timeline);
  showJournal(client, timeline);
  await checkAgreement(client, inbox, orderId, timeline);
}

function showTimeline({ screen }: Client, timeline: readonly Json[]): void {
  screen.heading('Timeline');
  const rows = timeline.map(({ at, status, by, statusReason }) => [
    at.slice(0, 19),
    status,
    by,
    statusReason ?? '',
  ]);
  screen.table([['when', 'status', 'by', 'why'], ...rows]);
}

/** As a bookkeeper writes it. Throws `DemoFailed` unless each journal sums to zero in each currency. */
function showJournal({ screen }: Client, timeline: readonly Json[]): void {
  screen.heading('Journal');
  const rows: string[][] = [['', 'account', 'debit', 'credit']];
  for (const { event, postings } of timeline.flatMap(({ journals = [] }) => journals as Json[])) {
    const sums = new Map<string, number>();
    for (const [index, { account, side, currency, amount }] of (postings as Json[]).entries()) {
      const minor = Math.round(amount * 1000) * (side === 'debit' ? 1 : -1);
      sums.set(currency, (sums.get(currency) ?? 0) + minor);
      const written = `${amount.toFixed(2)} ${currency}`;
      rows.push([index === 0 ? event : '', account, ...(side === 'debit' ? [written, ''] : ['', written])]);
    }
    if ([...sums.values()].some((sum) => sum !== 0))
      throw new DemoFailed(`The journal ${event} does not balance.`);
  }
  screen.table(rows, [2, 3]);
  screen.line();
  screen.fact('every journal sums to zero in every currency');
}

async function checkAgreement(
  { screen }: Client,
  inbox: Inbox,
  orderId: string,
  timeline: readonly Json[],
): Promise<void> {
  await inbox.waitFor(`order.${timeline.at(-1).status.toLowerCase()}`, orderId);
  const { arrived } = await inbox.check();
  screen.fact(`${arrived} notifications arrived, all signed, with no number missing`);
  const told = inbox.typesOf('order', orderId).length;
  if (told !== timeline.length)
    throw new DemoFailed(`The timeline has ${timeline.length} changes, and ${told} were told.`);
  screen.fact(`the ${told} notifications about the order are the ${timeline.length} changes of its timeline`);
}

export async function showReceipt(client: Client, orderId: string): Promise<void> {
  const { screen } = client;
  const receipt = await client.get(`/orders/${orderId}/receipt`, { show: 'none' });
  const { sender, beneficiary, fiatIn, fiatOut } = receipt;
  screen.heading('Receipt');
  screen.table([
    ['order', receipt.orderId],
    ['status', receipt.status],
    ['from', sender?.name ?? ''],
    ['to', `${beneficiary?.name ?? ''}, ${beneficiary?.country ?? ''}, ${beneficiary?.account ?? ''}`],
    ['paid', `${receipt.amountIn.toFixed(2)} ${fiatIn}, of which ${receipt.fee.toFixed(2)} are the fee`],
    ['rate', `1 ${fiatIn} = ${receipt.exchangeRate} ${fiatOut}`],
    ['received', `${receipt.amountOut.toFixed(2)} ${fiatOut}`],
  ]);
}

export function showWhereNext(client: Client, orderId: string): void {
  const { screen, url } = client;
  screen.heading('Where to look next');
  screen.table([
    ['API reference', `${url}/docs`],
    ['This order', `GET /orders/${orderId}`],
    ['All events', 'GET /events?channel=order'],
    ['Test values', `${url}/docs/guides/sandbox-values`],
    ['Other stories', 'npm run demo -- --list'],
    ['Your own receiver', 'npm run remesa -- listen --forward http://localhost:8080/webhook'],
  ]);
}
