/**
 * Lets a merchant test how it handles notifications that arrive twice, late, out of order or never. These routes only
 * store the fault; `webhooks` applies it when it numbers an event. They do not exist in `live`.
 */
import Type from 'typebox';
import { channels } from '../changes/event.js';
import { command, type Route, read } from '../http/route.js';
import { injectableFaults } from '../webhooks/delivery/delivery.js';
import { clearInjectedFaults, injectFault, listInjectedFaults } from '../webhooks/service.js';

const sandboxTag = { tag: 'Sandbox' } as const;
const merchantAccess = { token: 'merchant', scope: 'webhooks', user: 'none' } as const;
const defaultDelaySeconds = 30;

const Channel = Type.Enum([...channels], { description: 'The channel of the events.' });
const Fault = Type.Enum([...injectableFaults], {
  description:
    '`duplicate`: sent twice under one id. `delay`: sent later. `reorder`: every other event waits until the next one has been sent, ' +
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
const InjectedFault = Type.Object(
  {
    channel: Channel,
    fault: Fault,
    remaining: Type.Integer({ description: 'How many more events it applies to.' }),
    delaySeconds: Type.Optional(delaySeconds),
  },
  { title: 'InjectedWebhookFault', examples: [{ channel: 'kyc', fault: 'duplicate', remaining: 2 }] },
);

export function webhookFaultRoutes(): Route[] {
  return [
    command({
      ...sandboxTag,
      method: 'POST',
      path: '/sandbox/webhooks/faults',
      operationId: 'injectWebhookFault',
      summary: 'Inject a fault into the next notifications of a channel',
      description: 'Replaces the fault that was injected into this channel before.',
      returns: 'The fault is injected.',
      access: merchantAccess,
      body: FaultRequest,
      async run(call, tx) {
        const { channel, fault, count, delaySeconds: delay = defaultDelaySeconds } = call.body;
        const { merchantId } = call.caller;
        await injectFault(tx, { merchantId, channel }, { fault, count, delaySeconds: delay });
        return undefined;
      },
    }),
    read({
      ...sandboxTag,
      method: 'GET',
      path: '/sandbox/webhooks/faults',
      operationId: 'listWebhookFaults',
      summary: 'List injected faults',
      returns: 'The faults that still apply to future events.',
      access: merchantAccess,
      answer: Type.Array(InjectedFault),
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
      ...sandboxTag,
      method: 'DELETE',
      path: '/sandbox/webhooks/faults',
      operationId: 'endWebhookFaults',
      summary: 'Clear injected faults',
      returns: 'No fault is injected any more.',
      access: merchantAccess,
      async run(call, tx) {
        await clearInjectedFaults(tx, call.caller.merchantId);
        return undefined;
      },
    }),
  ];
}
