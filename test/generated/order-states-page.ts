/** Writes docs/order-states.md from the table of order states: what merchants and users see of it. */
import { eventRules, orderEvents } from '../../src/orders/order/order-events.js';
import {
  cancellableIn,
  isOpen,
  type PublicState,
  publicEvents,
  publicStates,
  publicTransitions,
} from '../../src/orders/order/transitions.js';

const meanings: Readonly<Record<PublicState, string>> = {
  AWAITING_PAYMENT: 'The order exists and waits for the money.',
  PAYMENT_RECEIVED: 'All of the money has arrived.',
  IN_REVIEW: 'An operator reviews the order.',
  ACTION_REQUIRED: 'Information or a correction is needed from the sender.',
  CONVERTED: 'The money is converted and waits for its payout.',
  PAYOUT_SUBMITTED: 'The payout is on its way.',
  COMPLETED: 'The beneficiary has the money. It may still be returned.',
  PAYOUT_FAILED: 'The payout was refused; the money is with us.',
  RETURNED: 'The money came back after it was paid out.',
  REJECTED: 'The review was not passed; the money goes back.',
  REFUND_PENDING: 'The money is on its way back to the payer.',
  REFUND_FAILED: 'The refund was refused or came back. An operator tries again.',
  REFUNDED: 'The payer has the money back.',
  CANCELLED: 'The order was cancelled.',
  EXPIRED: 'The order was not paid, or not answered, in time.',
};

const cancellable = { yes: 'yes', on_request: 'after the review', no: 'no' } as const;

export function orderStatesPage(): string {
  return [
    '# The states of an order',
    '',
    'Generated from `src/orders/order/transitions.ts` by `npm run generate`. Do not edit. `GET /meta/order-states` answers the same as',
    'JSON.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...edges(),
    '```',
    '',
    '## States',
    '',
    '| State | Meaning | Can be cancelled | Open |',
    '|---|---|---|---|',
    ...publicStates.map(
      (state) =>
        `| \`${state}\` | ${meanings[state]} | ${cancellable[cancellableIn(state)]} | ${isOpen(state) ? 'yes' : 'no'} |`,
    ),
    '',
    'A user with an open order cannot be deleted.',
    '',
    '## Events',
    '',
    '| Event | What happens | Caused by | From | To |',
    '|---|---|---|---|---|',
    ...orderEvents.flatMap((event) => eventRows(event)),
    '',
  ].join('\n');
}

/** One arrow for each pair of states, with the names of its events. Changes within a state have no arrow. */
function edges(): string[] {
  const names = new Map<string, string[]>();
  for (const { event, from, to } of publicTransitions()) {
    if (from === to) continue;
    const edge = `${from ?? '[*]'} --> ${to}`;
    names.set(edge, [...(names.get(edge) ?? []), event]);
  }
  return [...names].map(([edge, events]) => `  ${edge}: ${events.join(', ')}`);
}

function eventRows(event: (typeof orderEvents)[number]): string[] {
  const rows = publicTransitions().filter((row) => row.event === event);
  if (!publicEvents.some((known) => known === event) || rows.length === 0) return [];
  const { meaning, by, needsTwoOperators } = eventRules[event];
  const list = (states: readonly (string | null)[]) =>
    [...new Set(states)].map((state) => (state === null ? '–' : `\`${state}\``)).join(', ');
  const causes = `${by.join(', ')}${needsTwoOperators ? ' (two)' : ''}`;
  const isStaying = rows.every(({ from, to }) => from === to);
  const to = isStaying ? 'stays' : list(rows.map((row) => row.to));
  return [`| \`${event}\` | ${meaning} | ${causes} | ${list(rows.map(({ from }) => from))} | ${to} |`];
}
