/** Draws stories: who does what to which order, what the workers do, and what goes wrong meanwhile. */
import fc from 'fast-check';
import { rounds } from '../../harness/rounds.js';
import type { PayoutVerbs } from '../../payouts/worker-verbs.js';
import { apt } from './apt-acts.js';
import type { RailMode } from './booked-rail.js';
import { clawBack, notPaid, provePaid, proveRefund, takeOff } from './correction-acts.js';
import {
  byMerchant,
  cancel,
  correct,
  create,
  declare,
  erase,
  exactly,
  type Paying,
  pay,
  payUnnamed,
  provide,
  texts,
} from './customer-acts.js';
import { type Kill, killMoments } from './killed-worker.js';
import type { Draw, Fault } from './lane.js';
import { changeLevel, changeStatus, type DecisionName, decide, decisions } from './operator-acts.js';
import type { Payer, Sender } from './people.js';
import { type ModelPolicies, policyChoices } from './policy-model.js';
import { happen, tell, wait } from './rail-acts.js';
import { block, changePause, decideHit, liftBlock } from './stop-acts.js';
import type { Round, Turn } from './story.js';
import { happenToReturn, hold, match, payBack, writeOff } from './suspense-acts.js';
import { advance, expire, killed, send } from './worker-passes.js';

export const lanesOfStory = 8;
const roundsOfStory = 60;

const at = fc.nat(3);
const which = fc.nat(5);
const fault = fc.constantFrom<Fault>(
  'none',
  'none',
  'none',
  'none',
  'none',
  'none',
  'twice',
  'cut-before',
  'cut-after',
);
const pass = fc.record({ workers: fc.integer({ min: 1, max: 3 }), fault });
const mode = fc.constantFrom<RailMode>('accept', 'accept', 'pay', 'pay', 'reject', 'silent', 'down');
const verb = fc.constantFrom(...(Object.keys(decisions) as DecisionName[]));
const beneficiary = fc.constantFrom(0, 0, 0, 0, 1, 2, 3);
const payer = fc.constantFrom<Payer>('sender', 'sender', 'sender', 'sender', 'another', 'listed');
const sender = fc.constantFrom<Sender>('clean', 'clean', 'clean', 'listed', 'sometimes');
const isSentFromUs = fc.constantFrom(false, false, false, true);
const paying: fc.Arbitrary<Paying> = fc.record({
  minor: fc.constantFrom(undefined, undefined, undefined, 1, 2_500, 6_000, 10_000, 14_000),
  currency: fc.constantFrom('USD' as const, 'USD' as const, 'USD' as const, 'USD' as const, 'EUR' as const),
  payer,
});
const policies: fc.Arbitrary<ModelPolicies> = fc.record({
  short: fc.constantFrom(...policyChoices.short),
  over: fc.constantFrom(...policyChoices.over),
  late: fc.constantFrom(...policyChoices.late),
  duplicate: fc.constantFrom(...policyChoices.duplicate),
  wrongCurrency: fc.constantFrom(...policyChoices.wrongCurrency),
  afterEnd: fc.constantFrom(...policyChoices.afterEnd),
});
const text = fc.constantFrom(...(Object.keys(texts) as (keyof typeof texts)[]));
const decision = fc.constantFrom('dismiss' as const, 'dismiss' as const, 'confirm' as const);
const holding = fc.constantFrom('withdraw' as const, 'freeze' as const, 'release' as const, 'release' as const);
const telling = fc.record({
  ...{ back: fc.nat(3), suffix: fc.constantFrom('', '.again'), times: fc.integer({ min: 1, max: 2 }) },
});

const ofMerchants: fc.Arbitrary<Draw> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(at, paying).map((drawn) => pay(...drawn)) },
  { weight: 2, arbitrary: fc.tuple(at, text).map((drawn) => payUnnamed(...drawn)) },
  { weight: 2, arbitrary: policies.map(declare) },
  { weight: 3, arbitrary: at.map(cancel) },
  { weight: 2, arbitrary: fc.tuple(at, fc.nat(3)).map((drawn) => correct(...drawn)) },
  { weight: 5, arbitrary: fc.tuple(at, fc.boolean()).map((drawn) => provide(...drawn)) },
  { weight: 2, arbitrary: at.map(erase) },
);

/** Mistakes are rare: only long runs have them. */
const corrections = rounds<{ weight: number; arbitrary: fc.Arbitrary<Draw> }[]>(
  [],
  [
    { weight: 2, arbitrary: at.map(takeOff) },
    { weight: 2, arbitrary: at.map(notPaid) },
    { weight: 2, arbitrary: at.map(clawBack) },
    { weight: 3, arbitrary: at.map(provePaid) },
  ],
);

/** How often each act is drawn, compared with the others. */
const draws = (verbs: () => PayoutVerbs): fc.Arbitrary<Draw> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(beneficiary, isSentFromUs, sender).map((drawn) => create(...drawn)) },
    { weight: 30, arbitrary: fc.tuple(at, fc.nat(11)).map(([place, pick]) => apt(verbs, place, pick)) },
    { weight: 12, arbitrary: ofMerchants.map(byMerchant) },
    { weight: 8, arbitrary: fc.tuple(at, verb).map((drawn) => decide(...drawn)) },
    { weight: 2, arbitrary: at.map(changeLevel) },
    { weight: 6, arbitrary: fc.tuple(which, at).map((drawn) => match(...drawn)) },
    { weight: 3, arbitrary: which.map(payBack) },
    { weight: 1, arbitrary: which.map(writeOff) },
    { weight: 3, arbitrary: fc.tuple(which, holding).map((drawn) => hold(...drawn)) },
    { weight: 3, arbitrary: fc.tuple(which, fc.boolean()).map((drawn) => happenToReturn(...drawn)) },
    { weight: 1, arbitrary: fc.constantFrom(true, false, false).map(changeStatus) },
    { weight: 2, arbitrary: at.map(block) },
    { weight: 3, arbitrary: at.map(liftBlock) },
    { weight: 3, arbitrary: fc.tuple(at, decision).map((drawn) => decideHit(...drawn)) },
    { weight: 2, arbitrary: fc.constantFrom(true, false, false).map(changePause) },
    { weight: 3, arbitrary: fc.tuple(at, fc.nat(2)).map((drawn) => proveRefund(...drawn)) },
    { weight: 4, arbitrary: fc.constantFrom(0.25, 0.5, 1, 1, 23, 96, 168).map(wait) },
    { weight: 6, arbitrary: fc.tuple(at, fc.boolean()).map((drawn) => happen(...drawn)) },
    { weight: 6, arbitrary: fc.tuple(at, telling).map(([place, told]) => tell(verbs, place, told)) },
    ...corrections,
  );

const kill: fc.Arbitrary<Kill> = fc.record({
  job: fc.constantFrom('orders.advance' as const, 'payouts.send' as const),
  moment: fc.constantFrom(...killMoments),
  after: fc.integer({ min: 1, max: 6 }),
});

/** Two that want the same order at the same moment. */
const races: fc.Arbitrary<readonly [Draw, Draw]> = at.chain((place) => {
  const rival = fc.oneof(
    { weight: 4, arbitrary: verb.map((decision) => decide(place, decision)) },
    { weight: 1, arbitrary: fc.constant(byMerchant(cancel(place))) },
    { weight: 1, arbitrary: fc.constantFrom(match(0, place), payBack(0), writeOff(0)) },
    { weight: 1, arbitrary: fc.constant(byMerchant(pay(place, exactly))) },
    { weight: 1, arbitrary: fc.constant(byMerchant(provide(place, true))) },
  );
  return fc.tuple(rival, rival);
});

const passes = fc.oneof(
  { weight: 5, arbitrary: pass.map(advance) },
  { weight: 5, arbitrary: fc.tuple(pass, mode).map((drawn) => send(...drawn)) },
  { weight: 1, arbitrary: pass.map(expire) },
);

interface Rarities {
  /** One story of so many has a worker that is killed; 0: none has. */
  readonly killsIn: number;
  /** One story of so many has a screening list that changes; 0: none has. */
  readonly listChangesIn: number;
}

/** What a lane did is in the report of its failure; the acts of all lanes together would be too long to read. */
interface Story {
  readonly rounds: readonly Round[];
}

const nothing: Draw = () => undefined;
/** What every story has, so that nothing of it stays untried: one lane each, and the others begin as they are drawn. */
const opening: readonly Round[] = [
  [nothing, nothing, nothing, nothing, nothing, cancel(0)],
  undefined,
  [decideHit(0, 'dismiss'), decideHit(0, 'confirm'), block(0), changePause(true), nothing, decide(0, 'refer')],
  [nothing, nothing, liftBlock(0), changePause(false), nothing, proveRefund(0, 0)],
].map((lanes) =>
  lanes
    ? { turns: lanes.map((draw) => ({ draw, fault: 'none' as const })) }
    : { pass: advance({ workers: 1, fault: 'none' }) },
);

/** The senders and payers of the lanes in which hits are decided, and somebody pays who is listed. */
function opened<Drawn>(drawn: readonly Drawn[], fixed: Readonly<Record<number, Drawn>>): Drawn[] {
  return drawn.map((one, lane) => fixed[lane] ?? one);
}

/** Random rounds after the usual beginning of an order, which is different in every lane. */
export function stories(verbs: () => PayoutVerbs, rarities: Rarities): fc.Arbitrary<Story> {
  const turn: fc.Arbitrary<Turn> = fc.oneof(
    { weight: 12, arbitrary: fc.record({ draw: draws(verbs), fault }) },
    { weight: 1, arbitrary: races.map((race) => ({ race })) },
  );
  const turns = fc.array(turn, { minLength: lanesOfStory, maxLength: lanesOfStory });
  const first = (draw: fc.Arbitrary<Draw>, fixed: Readonly<Record<number, Draw>>) =>
    fc
      .array(draw, { minLength: lanesOfStory, maxLength: lanesOfStory })
      .map((drawn) => ({ turns: opened(drawn, fixed).map((one) => ({ draw: one, fault: 'none' as const })) }));
  const [ofListed, ofClean] = [create(0, false, 'listed'), create(0, false, 'clean')];
  const paidByListed = pay(0, { ...exactly, payer: 'listed' });
  const beginning = fc.tuple(
    first(
      fc.tuple(beneficiary, isSentFromUs, sender).map((drawn) => create(...drawn)),
      { 0: ofListed, 1: ofListed, 4: ofClean, 5: ofClean },
    ),
    first(
      payer.map((who) => pay(0, { ...exactly, payer: who })),
      { 0: pay(0, exactly), 1: pay(0, exactly), 4: paidByListed, 5: pay(0, exactly) },
    ),
  );
  const round: fc.Arbitrary<Round> = fc.oneof(
    { weight: 2, arbitrary: turns.map((drawn) => ({ turns: drawn })) },
    { weight: 1, arbitrary: passes.map((drawn) => ({ pass: drawn })) },
  );
  const middle = fc.nat(roundsOfStory);
  const kills = seldom(
    rarities.killsIn,
    fc.tuple(
      middle,
      fc.tuple(kill, mode).map((drawn) => killed(...drawn)),
    ),
  );
  const changes = seldom(rarities.listChangesIn, middle);
  const rest = fc.array(round, { minLength: roundsOfStory, maxLength: roundsOfStory });
  return fc.tuple(beginning, rest, kills, changes).map(([begun, drawn, killing, changing]) => {
    const all: Round[] = [...begun, ...opening, ...drawn];
    const from = begun.length + opening.length;
    if (killing) all.splice(from + killing[0], 0, { pass: killing[1] });
    if (changing !== null) all.splice(from + changing, 0, { listed: [2, 3] });
    return { rounds: all, [fc.toStringMethod]: () => 'the story below' };
  });
}

/** Null in most cases. */
function seldom<Drawn>(oneIn: number, arbitrary: fc.Arbitrary<Drawn>): fc.Arbitrary<Drawn | null> {
  const never = fc.constant(null);
  return oneIn === 0 ? never : fc.oneof({ weight: oneIn - 1, arbitrary: never }, { weight: 1, arbitrary });
}
