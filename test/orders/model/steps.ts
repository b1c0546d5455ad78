/** Draws steps: who does what to which order, and what goes wrong meanwhile. */
import fc from 'fast-check';
import type { RailMode } from './booked-rail.js';
import { cancel, correct, create, pay, provide } from './customer-steps.js';
import type { Fault } from './model-service.js';
import { changeLevel, decide, decisions } from './operator-steps.js';
import type { Step } from './step.js';
import { advance, expire, happen, send, tell, wait } from './worker-steps.js';

const at = fc.nat(4);
const fault = fc.constantFrom<Fault>('none', 'none', 'none', 'twice', 'cut-before', 'cut-after');
const workers = fc.integer({ min: 1, max: 3 });
const mode = fc.constantFrom<RailMode>('accept', 'accept', 'pay', 'pay', 'reject', 'silent', 'down');
const verbs = fc.constantFrom(...(Object.keys(decisions) as (keyof typeof decisions)[]));

const creation = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fault).map((drawn) => create(...drawn));
const exactPayment = fc
  .tuple(at, fc.constant('exact' as const), fc.constantFrom(false, false, false, true), fault)
  .map((drawn) => pay(...drawn));
const advancing = fc.tuple(workers, fault).map((drawn) => advance(...drawn));
const sending = fc.tuple(workers, mode, fault).map((drawn) => send(...drawn));
const deciding = fc.tuple(at, verbs, fault).map((drawn) => decide(...drawn));

/** What matters most is named more than once, so that it is drawn more often. */
export const steps: fc.Arbitrary<Step>[] = [
  ...[creation, creation, exactPayment, exactPayment, advancing, advancing, sending, sending],
  ...[deciding, deciding, deciding],
  fc
    .tuple(at, fc.constantFrom('short' as const, 'over' as const), fc.boolean(), fault)
    .map((drawn) => pay(...drawn)),
  fc.tuple(at, fault).map((drawn) => cancel(...drawn)),
  fc.tuple(at, fc.nat(2), fault).map((drawn) => correct(...drawn)),
  fc.tuple(at, fault).map((drawn) => provide(...drawn)),
  at.map(changeLevel),
  fc.tuple(workers, fault).map((drawn) => expire(...drawn)),
  fc.constantFrom(1, 1, 23, 96, 168).map(wait),
  fc.tuple(at, fc.boolean()).map((drawn) => happen(...drawn)),
  fc
    .tuple(at, fc.nat(3), fc.constantFrom('', '.again'), fc.integer({ min: 1, max: 2 }))
    .map((drawn) => tell(...drawn)),
];
