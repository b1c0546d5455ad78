/**
 * The rehearsal of what can go wrong with notifications: twice, late, out of order, not at all.
 * Owns the paths only; what becomes of an event is decided where it is numbered. None of this exists in `live`.
 */
import Type from 'typebox';
import { command, type Route, read } from '../http/route.js';
import { injectableFaults } from '../webhooks/delivery/delivery.js';
import { channels } from '../webhooks/event.js';
import { clearInjectedFaults, injectFault, listInjectedFaults } from '../webhooks/service.js';

const described = { tag: 'Sandbox' } as const;
const ofMerchant = { token: 'merchant', scope: 'webhooks', user: 'none' } as const;
const usualDelaySeconds = 30;

const Channel = Type.Enum([...channels], { description: 'The channel of the events.' });
const Fault = Type.Enum([...injectableFaults], {
  description:
    '`duplicate`: sent twice under one id. `delay`: sent later. `reorder`: every other event waits until the next was sent, ' +
    'at most 10 seconds. `drop`: not sent; it can be pulled and redelivered.',
});
const delaySeconds = Type.Integer({
  minimum: 1,
  maximum: 3600,
  description: 'How much later, with `delay`; 30 by default.',
});

const FaultRequest = Type.Object(
  {
    channel: Channel,
    fault: Fault,
    count: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How many of the next events it applies to.',
    }),
    delaySeconds: Type.Optional(delaySeconds),
  },
  {
    title: 'WebhookFault',
    additionalProperties: false,
    examples: [{ channel: 'kyc', fault: 'duplicate', count: 3 }],
  },
);
const WantedFault = Type.Object(
  {
    channel: Channel,
    fault: Fault,
    remaining: Type.Integer({ description: 'How many more events it applies to.' }),
    delaySeconds: Type.Optional(delaySeconds),
  },
  { title: 'WantedWebhookFault', examples: [{ channel: 'kyc', fault: 'duplicate', remaining: 2 }] },
);

export function webhookFaultRoutes(): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/sandbox/webhooks/faults',
      operationId: 'injectWebhookFault',
      summary: 'Inject a fault into the next notifications of a channel',
      description: 'Replaces the fault that was injected into this channel before.',
      returns: 'The fault is injected.',
      access: ofMerchant,
      body: FaultRequest,
      async run(call, tx) {
        const { channel, fault, count, delaySeconds: delay = usualDelaySeconds } = call.body;
        const { merchantId } = call.caller;
        await injectFault(tx, { merchantId, channel }, { fault, count, delaySeconds: delay });
        return undefined;
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/sandbox/webhooks/faults',
      operationId: 'listWebhookFaults',
      summary: 'List injected faults',
      returns: 'The faults that still apply to future events.',
      access: ofMerchant,
      answer: Type.Array(WantedFault),
      async run(call, database) {
        const faults = await listInjectedFaults(database, call.caller.merchantId);
        return faults.map(({ channel, fault, remaining, delaySeconds: delay }) => ({
          channel,
          fault,
          remaining,
          ...(fault === 'delay' ? { delaySeconds: delay } : {}),
        }));
      },
    }),
    command({
      ...described,
      method: 'DELETE',
      path: '/sandbox/webhooks/faults',
      operationId: 'endWebhookFaults',
      summary: 'Clear injected faults',
      returns: 'No fault is injected any more.',
      access: ofMerchant,
      async run(call, tx) {
        await clearInjectedFaults(tx, call.caller.merchantId);
        return undefined;
      },
    }),
  ];
}
