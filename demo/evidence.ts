/** The end of a story: the timeline, the journal and the receipt of the order, and whether they agree. */
import type { OrderJournal, OrderTimeline } from '../packages/client/src/index.js';
import { type Client, type Credentials, DemoFailed } from './client.js';
import type { Inbox } from './inbox.js';

/** Throws `DemoFailed` unless notifications, timeline and ledger agree. */
export async function showEvidence(client: Client, inbox: Inbox, orderId: string): Promise<void> {
  const { screen } = client;
  await screen.chapter('What really happened');
  const timeline = await client.show(({ orders }) => orders.timeline(orderId), 'none');
  showTimeline(client, timeline);
  showJournal(client, timeline);
  await checkAgreement(client, inbox, orderId, timeline);
  await showReceipt(client, orderId, timeline);
}

function showTimeline({ screen }: Client, timeline: OrderTimeline): void {
  screen.heading(`Timeline (${timeline[0]?.at.slice(0, 10)}, UTC)`);
  const rows = timeline.map(({ at, status, by, statusReason }) => [at.slice(11, 19), status, by, statusReason ?? '']);
  screen.table([['when', 'status', 'by', 'why'], ...rows]);
}

/** As a bookkeeper writes it. Throws `DemoFailed` unless each journal sums to zero in each currency. */
function showJournal({ screen }: Client, timeline: OrderTimeline): void {
  const journals = timeline.flatMap(({ journals: booked = [] }) => booked);
  screen.heading('Journal');
  if (journals.length > 0) {
    screen.table([['', 'account', 'debit', 'credit'], ...journals.flatMap(rowsOf)], [2, 3]);
    screen.line();
    screen.fact('every journal sums to zero in every currency');
  } else {
    screen.note('No money was booked on this order.');
    screen.line();
  }
}

function rowsOf({ event, postings }: OrderJournal): string[][] {
  const sums = new Map<string, number>();
  const rows = postings.map(({ account, side, currency, amount }, index) => {
    const minor = Math.round(amount * 1000) * (side === 'debit' ? 1 : -1);
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
    const amounts = side === 'debit' ? [amount.toFixed(2), ''] : ['', amount.toFixed(2)];
    return [index === 0 ? event : '', account, ...amounts];
  });
  if ([...sums.values()].some((sum) => sum !== 0)) throw new DemoFailed(`The journal ${event} does not balance.`);
  return rows;
}

async function checkAgreement(
  { screen }: Client,
  inbox: Inbox,
  orderId: string,
  timeline: OrderTimeline,
): Promise<void> {
  const last = timeline.at(-1);
  if (!last) throw new DemoFailed('The order has no timeline.');
  await inbox.waitFor(`order.${last.status.toLowerCase()}`, orderId);
  const { arrived } = await inbox.check();
  screen.fact(`${arrived} notifications arrived, all signed, with no number missing`);
  const told = inbox.typesOf('order', orderId).length;
  if (told !== timeline.length)
    throw new DemoFailed(`The timeline has ${timeline.length} changes, and ${told} were told.`);
  screen.fact(`the ${told} notifications about the order are the ${timeline.length} changes of its timeline`);
}

/** An order that was never paid has no receipt. */
async function showReceipt(client: Client, orderId: string, timeline: OrderTimeline): Promise<void> {
  if (!timeline.some(({ status }) => status === 'PAYMENT_RECEIVED')) return;
  const receipt = await client.remesa.orders.receipt(orderId);
  const { sender, beneficiary, fiatIn, fiatOut } = receipt;
  const to = [beneficiary.name, beneficiary.country, beneficiary.account].filter((part) => part !== null);
  client.screen.heading('Receipt');
  client.screen.table([
    ['order', receipt.orderId],
    ['status', receipt.status],
    ['from', sender?.name ?? ''],
    ['to', to.join(', ')],
    ['paid', `${receipt.amountIn.toFixed(2)} ${fiatIn}, fee of ${receipt.fee.toFixed(2)} ${fiatIn} included`],
    ...(receipt.status === 'COMPLETED'
      ? [
          ['rate', `1 ${fiatIn} = ${receipt.exchangeRate} ${fiatOut}`],
          ['received', `${receipt.amountOut.toFixed(2)} ${fiatOut}`],
        ]
      : [['refunded', `${receipt.amountRefunded.toFixed(2)} ${fiatIn}`]]),
  ]);
}

export interface Played {
  readonly orderId: string;
  readonly merchant: Credentials;
  /** Whether the service goes on after the demo. */
  readonly isKept: boolean;
}

export function showWhereNext({ screen, url }: Client, { orderId, merchant, isKept }: Played): void {
  const address = isKept ? url : 'http://127.0.0.1:3000';
  screen.heading('Where to look next');
  if (!isKept) screen.note('The service of this demo is stopped now. Start one that stays: npm start');
  screen.table([
    ['Documentation', `${address}/docs`],
    ['Test values', `${address}/docs/guides/sandbox-values`],
    ...(isKept
      ? [
          ['This order', `GET /orders/${orderId}`],
          ['Its merchant', merchant.clientId],
          ['The secret', merchant.clientSecret],
        ]
      : []),
    ['All events', 'GET /events?channel=order'],
    ['Other stories', 'npm run demo -- --list'],
    ['Receiver', 'npm run remesa -- listen --forward http://localhost:8080/'],
  ]);
}
