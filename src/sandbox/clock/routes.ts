/** Lets a merchant move its clock forward, and see it. */
import Type, { type Static } from 'typebox';
import { recordChange } from '../../changes/service.js';
import { type FieldFault, RemesaError } from '../../errors.js';
import { readTime } from '../../http/body/read-time.js';
import { command, type Route, read } from '../../http/route.js';
import type { MerchantId } from '../../ids.js';
import type { ClockService, Moved } from './service.js';

const described = { tag: 'Sandbox' } as const;
const access = { token: 'merchant', scope: 'orders', user: 'none' } as const;
const tenYears = 10 * 365 * 86_400;
const latest = new Date('2200-01-01T00:00:00.000Z');

const NewTimeShape = Type.Object(
  {
    advanceSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: tenYears, description: 'How far the clock moves.' }),
    ),
    advanceTo: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'The time to move to. A time in the past, by your clock, changes nothing.',
      }),
    ),
  },
  { title: 'NewClockTime', additionalProperties: false, examples: [{ advanceSeconds: 3600 }] },
);
const time = (description: string) => Type.String({ format: 'date-time', description });
const clockFields = {
  now: time('The time by your clock.'),
  aheadSeconds: Type.Number({ description: 'How far it is ahead of real time.' }),
  nextDueAt: Type.Optional(
    time('When something of yours falls due next, such as an unpaid order. Absent: nothing will.'),
  ),
};
const example = {
  now: '2026-11-17T09:00:00.000Z',
  aheadSeconds: 86400,
  nextDueAt: '2026-11-20T09:00:00.000Z',
};
const ClockShape = Type.Object(
  { ...clockFields, isMoving: Type.Boolean({ description: 'Whether a call moves it now.' }) },
  { title: 'Clock', examples: [{ ...example, isMoving: false }] },
);
const MovedShape = Type.Object(
  {
    ...clockFields,
    target: time('Where the clock was to go.'),
    isFinished: Type.Boolean({
      description:
        'False: the 30 seconds of the call were over before the clock got there. Call again with `advanceTo` = `target`.',
    }),
  },
  {
    title: 'MovedClock',
    examples: [{ ...example, target: '2026-11-17T09:00:00.000Z', isFinished: true }],
  },
);

export function clockRoutes(clocks: ClockService): Route[] {
  return [
    read({
      ...described,
      access,
      method: 'GET',
      path: '/sandbox/clock',
      operationId: 'getClock',
      summary: 'Get your clock',
      returns: 'The clock, and when something falls due next.',
      answer: ClockShape,
      async run(call) {
        const { isMoving, ...shown } = await shownClock(clocks, call.caller.merchantId);
        return { ...shown, isMoving };
      },
    }),
    command({
      ...described,
      access,
      method: 'POST',
      path: '/sandbox/clock',
      operationId: 'moveClock',
      summary: 'Move your clock forward',
      description:
        'Everything that falls due on the way happens before the answer, in order, each at its own time: orders expire, rights to cancel end, payouts are reported, KYC levels end. Your clock never goes back, and other merchants are not affected. Notifications are sent in real time. One call takes at most 30 seconds: if `isFinished` is false, call again with `advanceTo` = `target`, which is safe to repeat. Concurrent calls run one after the other; one that waits too long gets 409.',
      returns: 'The clock after the move.',
      body: NewTimeShape,
      inspect: choiceFaults,
      answer: MovedShape,
      idempotency: false,
      refusals: ['clock_is_moving'],
      prepare: (call) => clocks.move(call.caller.merchantId, targetOf(call.body)),
      async run({ by, caller: { merchantId } }, tx, moved: Moved) {
        const subject = 'sandbox:clock';
        const details = { target: moved.target.toISOString() };
        await recordChange(tx, by, { merchantId, action: 'sandbox.clock_moved', subject, details });
        const { isMoving: _, ...clock } = await shownClock(clocks, merchantId);
        return { ...clock, target: moved.target.toISOString(), isFinished: moved.isFinished };
      },
    }),
  ];
}

async function shownClock(clocks: ClockService, merchantId: MerchantId) {
  const { now, aheadSeconds, isMoving } = await clocks.read(merchantId);
  const nextDueAt = await clocks.nextDue(merchantId, now);
  return {
    now: now.toISOString(),
    aheadSeconds,
    isMoving,
    ...(nextDueAt ? { nextDueAt: nextDueAt.toISOString() } : {}),
  };
}

/** Throws `invalid_fields` when the clock would go further than it can. */
function targetOf({ advanceSeconds, advanceTo }: Static<typeof NewTimeShape>): (now: Date) => Date {
  const fixed = readTime('advanceTo', advanceTo);
  return (now) => {
    const target = fixed ?? new Date(now.getTime() + (advanceSeconds ?? 0) * 1000);
    const field = fixed ? 'advanceTo' : 'advanceSeconds';
    if (target <= latest && target.getTime() - now.getTime() <= tenYears * 1000) return target;
    const message = 'a clock moves by ten years at most, and not beyond the year 2199';
    const errors = [{ field, code: 'out_of_range', message }];
    throw new RemesaError('invalid', 'invalid_fields', `${field}: ${message}`, { errors });
  };
}

function choiceFaults(body: unknown): FieldFault[] {
  const { advanceSeconds, advanceTo } = (body ?? {}) as Record<string, unknown>;
  if ((advanceSeconds === undefined) !== (advanceTo === undefined)) return [];
  const code = advanceTo === undefined ? 'required' : 'not_allowed';
  return [{ field: 'advanceTo', code, message: 'send either advanceSeconds or advanceTo' }];
}
