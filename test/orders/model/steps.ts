/** Draws steps: who does what to which order, and what goes wrong meanwhile. */
import fc from 'fast-check';
import type { RailMode } from './booked-rail.js';
import { cancel, correct, create, pay, provide } from './customer-steps.js';
import type { Fault } from './model-service.js';
import { changeLevel, decide, decisions } from './operator-steps.js';
import type { Step } from './step.js';
import { advance, expire, happen, send, tell, wait } from './worker-steps.js';

const at = fc.nat(2);
const fault = fc.constantFrom<Fault>('none', 'none', 'none', 'twice', 'cut-before', 'cut-after');
const workers = fc.integer({ min: 1, max: 3 });
const mode = fc.constantFrom<RailMode>('accept', 'accept', 'pay', 'pay', 'reject', 'silent', 'down');
const verb = fc.constantFrom(...(Object.keys(decisions) as (keyof typeof decisions)[]));
const beneficiary = fc.constantFrom(0, 0, 0, 1, 2);
const isByAnother = fc.constantFrom(false, false, false, true);
const wrongAmount = fc.constantFrom('short' as const, 'over' as const);
const times = fc.integer({ min: 1, max: 2 });

/** How often each kind of step is drawn, compared with the others. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(beneficiary, fault).map((drawn) => create(...drawn)) },
  {
    weight: 5,
    arbitrary: fc.tuple(at, isByAnother, fault).map(([place, ...drawn]) => pay(place, 'exact', ...drawn)),
  },
  { weight: 1, arbitrary: fc.tuple(at, wrongAmount, isByAnother, fault).map((drawn) => pay(...drawn)) },
  { weight: 5, arbitrary: fc.tuple(workers, fault).map((drawn) => advance(...drawn)) },
  { weight: 5, arbitrary: fc.tuple(workers, mode, fault).map((drawn) => send(...drawn)) },
  { weight: 9, arbitrary: fc.tuple(at, verb, fault).map((drawn) => decide(...drawn)) },
  { weight: 1, arbitrary: fc.tuple(at, fault).map((drawn) => cancel(...drawn)) },
  { weight: 1, arbitrary: fc.tuple(at, fc.nat(2), fault).map((drawn) => correct(...drawn)) },
  { weight: 2, arbitrary: fc.tuple(at, fault).map((drawn) => provide(...drawn)) },
  { weight: 1, arbitrary: at.map(changeLevel) },
  { weight: 1, arbitrary: fc.tuple(workers, fault).map((drawn) => expire(...drawn)) },
  { weight: 1, arbitrary: fc.constantFrom(1, 1, 1, 23, 96, 168).map(wait) },
  { weight: 3, arbitrary: fc.tuple(at, fc.boolean()).map((drawn) => happen(...drawn)) },
  {
    weight: 3,
    arbitrary: fc.tuple(at, fc.nat(3), fc.constantFrom('', '.again'), times).map((drawn) => tell(...drawn)),
  },
);

/** How an order usually begins, up to somewhere. */
const beginning = fc
  .tuple(beneficiary, mode, fc.integer({ min: 1, max: 4 }))
  .map(([first, railMode, length]) =>
    [
      create(first, 'none'),
      pay(0, 'exact', false, 'none'),
      advance(1, 'none'),
      send(1, railMode, 'none'),
    ].slice(0, length),
  );

/** A story of a few orders: random steps after the beginning of one. */
export const stories: fc.Arbitrary<Step[]> = fc
  .tuple(beginning, fc.array(step, { minLength: 40, maxLength: 40 }))
  .map(([first, others]) => [...first, ...others]);
