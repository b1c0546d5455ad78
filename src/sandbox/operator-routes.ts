/** What operators play with in a sandbox, for one merchant: its clock, scenarios, and faults of its notifications. */
import Type from 'typebox';
import { channels } from '../changes/event.js';
import { recordChange } from '../changes/service.js';
import { command, type Route, read } from '../http/route.js';
import { time } from '../http/shapes.js';
import { listMerchants, merchantIdOf } from '../merchants/service.js';
import type { Database } from '../postgres/database.js';
import { injectableFaults } from '../webhooks/delivery/delivery.js';
import { injectFault, listInjectedFaults } from '../webhooks/service.js';
import type { ClockService, Moved } from './clock/service.js';
import type { ScenarioService } from './scenarios/service.js';
import { scenarios } from './scenarios/stories.js';

const tag = 'Sandbox for operators';
const forViewers = { tag, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { tag, access: { token: 'operator', role: 'reviewer' } } as const;
const oneDaySeconds = 86_400;
const merchant = Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant.' });
const Name = Type.Enum(
  scenarios.map(({ name }) => name),
  { description: 'The name of the scenario.' },
);

const ToolsShape = Type.Object(
  {
    merchant,
    now: time('The time by the merchant’s clock.'),
    aheadSeconds: Type.Number({ description: 'How far it is ahead of real time.' }),
    isMoving: Type.Boolean({ description: 'Whether a call moves it now.' }),
    nextDueAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When something of the merchant falls due next; null when nothing will.',
    }),
    faults: Type.Array(
      Type.Object({
        channel: Type.Enum([...channels], { description: 'The channel of the notifications.' }),
        fault: Type.Enum([...injectableFaults], { description: 'What happens to them.' }),
        remaining: Type.Integer({ description: 'How many more it applies to.' }),
      }),
      { description: 'The faults that still apply to notifications to come.' },
    ),
    scenarios: Type.Array(Type.Object({ name: Name, description: Type.String({ description: 'What happens.' }) }), {
      description: 'What can be played.',
    }),
  },
  {
    title: 'SandboxTools',
    examples: [
      {
        merchant: 'demo',
        now: '2026-11-17T09:00:00.000Z',
        aheadSeconds: 86400,
        isMoving: false,
        nextDueAt: '2026-11-20T09:00:00.000Z',
        faults: [],
        scenarios: [{ name: 'happy_path', description: 'Everything goes well.' }],
      },
    ],
  },
);
const MoveShape = Type.Object(
  {
    merchant,
    days: Type.Integer({ minimum: 1, maximum: 3650, description: 'By how many days the clock moves.' }),
  },
  { title: 'SandboxClockMove', additionalProperties: false, examples: [{ merchant: 'demo', days: 1 }] },
);
const MovedShape = Type.Object(
  {
    now: time('The time by the merchant’s clock.'),
    isFinished: Type.Boolean({ description: 'False: the 30 seconds of the call were over before. Move it again.' }),
  },
  { title: 'SandboxClockMoved', examples: [{ now: '2026-11-17T09:00:00.000Z', isFinished: true }] },
);
const PlayShape = Type.Object(
  { merchant, name: Name },
  { title: 'SandboxPlay', additionalProperties: false, examples: [{ merchant: 'demo', name: 'happy_path' }] },
);
const BegunShape = Type.Object(
  { runId: Type.String({ description: 'The run, which has begun. Its order appears among the orders.' }) },
  { title: 'SandboxRun', examples: [{ runId: 'run_0000013J8V2T9X5B3N6H0C7D2F' }] },
);
const FaultShape = Type.Object(
  {
    merchant,
    channel: Type.Enum([...channels], { description: 'The channel of the notifications.' }),
    fault: Type.Enum([...injectableFaults], { description: 'What happens to them.' }),
    count: Type.Integer({ minimum: 1, maximum: 1000, description: 'To how many of the next ones.' }),
  },
  {
    title: 'SandboxFault',
    additionalProperties: false,
    examples: [{ merchant: 'demo', channel: 'order', fault: 'drop', count: 1 }],
  },
);

export interface SandboxDesk {
  readonly database: Database;
  readonly clocks: ClockService;
  readonly scenarios: ScenarioService;
}

export function sandboxOperatorRoutes(desk: SandboxDesk): Route[] {
  return [toolsRoute(desk), clockRoute(desk), playRoute(desk), faultRoute()];
}

function toolsRoute({ clocks }: SandboxDesk): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/sandbox',
    operationId: 'getSandboxTools',
    summary: 'Get the sandbox tools of a merchant',
    returns: 'The clock, the faults that are injected, and the scenarios.',
    query: Type.Object(
      { merchant: Type.Optional({ ...merchant, description: 'Whose tools; the oldest merchant by default.' }) },
      { additionalProperties: false },
    ),
    answer: ToolsShape,
    refusals: ['merchant_not_found'],
    async run({ query }, database) {
      const clientId = query.merchant ?? (await listMerchants(database, 0, 1))[0]?.clientId ?? '';
      const merchantId = await merchantIdOf(database, clientId);
      const { now, aheadSeconds, isMoving } = await clocks.read(merchantId);
      const nextDueAt = await clocks.nextDue(merchantId, now);
      const faults = await listInjectedFaults(database, merchantId);
      return {
        merchant: clientId,
        now: now.toISOString(),
        aheadSeconds,
        isMoving,
        nextDueAt: nextDueAt?.toISOString() ?? null,
        faults: faults.map(({ channel, fault, remaining }) => ({ channel, fault, remaining })),
        scenarios: scenarios.map(({ name, description }) => ({ name, description })),
      };
    },
  });
}

function clockRoute({ database, clocks }: SandboxDesk): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/sandbox/clock',
    operationId: 'moveMerchantClock',
    summary: 'Move the clock of a merchant forward',
    description:
      'Everything that falls due on the way happens, in order, each at its own time. The clock never goes back, and other merchants are not affected.',
    subject: (call) => merchantIdOf(database, call.body.merchant),
    returns: 'The clock after the move.',
    body: MoveShape,
    answer: MovedShape,
    idempotency: false,
    refusals: ['merchant_not_found', 'clock_is_moving'],
    async prepare({ body }) {
      const merchantId = await merchantIdOf(database, body.merchant);
      return clocks.move(merchantId, (now) => new Date(now.getTime() + body.days * oneDaySeconds * 1000));
    },
    async run({ by, body }, tx, { target, isFinished }: Moved) {
      const merchantId = await merchantIdOf(tx, body.merchant);
      await recordChange(tx, by, {
        merchantId,
        action: 'sandbox.clock_moved',
        subject: 'sandbox:clock',
        details: { target: target.toISOString() },
      });
      const { now } = await clocks.read(merchantId);
      return { now: now.toISOString(), isFinished };
    },
  });
}

function playRoute({ database, scenarios: service }: SandboxDesk): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/sandbox/scenarios',
    operationId: 'playScenarioForMerchant',
    summary: 'Play a scenario for a merchant',
    description: 'Everything in it is real: a user, a KYC case, an order, payments, journals, notifications.',
    subject: (call) => merchantIdOf(database, call.body.merchant),
    returns: 'The run.',
    body: PlayShape,
    answer: BegunShape,
    refusals: ['merchant_not_found'],
    async run({ by, body }, tx) {
      const { run } = await service.begin(tx, by, await merchantIdOf(tx, body.merchant), body.name);
      return { runId: run.runId };
    },
  });
}

function faultRoute(): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/sandbox/faults',
    operationId: 'injectFaultForMerchant',
    summary: 'Inject a fault into the next notifications of a merchant',
    description: 'Replaces the fault that was injected into this channel before.',
    subject: (call, database) => merchantIdOf(database, call.body.merchant),
    returns: 'The fault is injected.',
    body: FaultShape,
    refusals: ['merchant_not_found'],
    async run({ body }, tx) {
      const { channel, fault, count } = body;
      const merchantId = await merchantIdOf(tx, body.merchant);
      await injectFault(tx, { merchantId, channel }, { fault, count, delaySeconds: 30 });
    },
  });
}
