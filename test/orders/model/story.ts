/** Plays a story: rounds in which every lane acts, or the workers make a pass, and a comparison after each. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { VerifyContext } from '../../../src/ledger/verify/verify.js';
import {
  compareAnswers,
  expectedOf,
  expectLedgersWhole,
  numbered,
  type Rows,
  readBanks,
  readRows,
  seenOf,
  suspenseOf,
} from './comparison.js';
import type { Coverage } from './coverage.js';
import { expectNothingLost } from './invariants.js';
import type { Act, Draw, Fault, Lane, LaneModel } from './lane.js';
import { alwaysListed, sometimesListed } from './list-file.js';
import type { ModelService } from './model-service.js';
import { changeStatus } from './operator-acts.js';
import type { Outcome, Surroundings } from './order-record.js';
import { isListed } from './people.js';
import { changePause } from './stop-acts.js';
import type { WorkerPass } from './worker-passes.js';

/** What a lane does in a round: one act, or two at the same moment. */
export type Turn = { readonly draw: Draw; readonly fault: Fault } | { readonly race: readonly [Draw, Draw] };
export type Round =
  | { readonly turns: readonly Turn[] }
  | { readonly pass: WorkerPass }
  /** From now on these beneficiaries are on the screening list. */
  | { readonly listed: readonly number[] };

interface StorySetup {
  readonly service: ModelService;
  readonly context: VerifyContext;
  readonly coverage: Coverage;
  readonly lanes: readonly Lane[];
  /** The beneficiaries that are on the screening list now. */
  readonly listed: readonly number[];
}

/** In rounds. Orders and what they are owed are compared after each. */
const verifiedEvery = Number(process.env.MODEL_VERIFIED_EVERY ?? 10);

/** Throws when anything was wrong in any lane. */
export async function play(setup: StorySetup, rounds: readonly Round[]): Promise<void> {
  const { service, context, lanes } = setup;
  const banks = await readBanks(service, lanes);
  for (const [place, lane] of lanes.entries()) lane.atBankBefore = banks[place] ?? lane.atBankBefore;
  let { listed } = setup;
  for (const [index, round] of rounds.entries()) {
    const sound = { ...setup, listed, lanes: lanes.filter(({ failure }) => failure === undefined) };
    if ('listed' in round) listed = await changeList(setup, round.listed);
    else if ('pass' in round) await playPass(sound, round.pass);
    else await playTurns(sound, round.turns);
    if (index % verifiedEvery === verifiedEvery - 1)
      await expectLedgersWhole(service, context, sound.lanes, { isFull: false });
  }
  if (listed !== setup.listed) await changeList(setup, setup.listed);
  await conclude(setup);
}

/** What is seen at the end of a story. Throws when anything was wrong in any lane. */
async function conclude({ service, context, lanes }: StorySetup): Promise<void> {
  const failures = lanes.flatMap(({ failure }) => failure ?? []);
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new Error(failures.map(String).join('\n\n'), { cause: failures[0] });
  for (const lane of lanes) {
    if (lane.model.isSuspended) await changeStatus(true)(lane)?.ask(service, 'none');
    lane.model.isSuspended = false;
    if (lane.model.isPaused) await changePause(true)(lane)?.ask(service, 'none');
    await compareAnswers(service, lane);
  }
  await expectLedgersWhole(service, context, lanes, { isFull: true });
  await expectNothingLost(service, lanes);
  expect(service.rail.violations).toEqual([]);
}

/** A list that grew in a story stays so until its end. */
async function changeList({ service, coverage, lanes }: StorySetup, listed: readonly number[]) {
  coverage.count('pass', 'change of the screening list');
  for (const { history, model, orders } of lanes) {
    history.push(`the screening list has ${listed.join(' and ')}`);
    for (const [index, { id }] of orders.entries())
      if (isListed(model.orders[index]?.senderName ?? '', { listed })) service.rail.stop(id, 'listed');
  }
  await service.changeList(listed.includes(3) ? sometimesListed : alwaysListed);
  return listed;
}

async function playPass({ service, lanes, listed, coverage }: StorySetup, pass: WorkerPass): Promise<void> {
  coverage.count('pass', pass.name);
  await pass.run(service, lanes);
  const candidates = lanes.map((lane) => {
    lane.history.push(pass.name);
    const { hour, isPaused } = lane.model;
    pass.expect(lane, { hour, listed, isPaused });
    return [lane.model];
  });
  await choose(service, lanes, candidates, coverage);
}

async function playTurns(setup: StorySetup, turns: readonly Turn[]): Promise<void> {
  const played = setup.lanes.map(async (lane) => {
    const turn = turns[lane.place];
    try {
      return turn ? await playTurn(setup, lane, turn) : [lane.model];
    } catch (error) {
      lane.failure = error;
      return [];
    }
  });
  await choose(setup.service, setup.lanes, await Promise.all(played), setup.coverage);
}

/** Returns what the lane can be like afterwards. */
async function playTurn(setup: StorySetup, lane: Lane, turn: Turn): Promise<readonly LaneModel[]> {
  const { service, listed, coverage } = setup;
  const { hour, isPaused } = lane.model;
  const around = { hour, listed, isPaused };
  if ('race' in turn) return race(service, lane, turn.race, around, coverage);
  const act = turn.draw(lane);
  if (!act) return [lane.model];
  lane.history.push(`${act.name}, ${turn.fault}`);
  const outcome = await act.ask(service, turn.fault);
  coverage.act(act.name, turn.fault, outcome);
  const expected = act.expect(lane.model, around);
  if (!isDeepStrictEqual(outcome, expected))
    fail(lane, `the answer was ${outcome.join(' ')} instead of ${expected.join(' ')}`);
  return [lane.model];
}

/** Two acts at the same moment: the outcome must be that of one order of the two or of the other. */
async function race(
  service: ModelService,
  lane: Lane,
  draws: readonly [Draw, Draw],
  around: Surroundings,
  coverage: Coverage,
): Promise<LaneModel[]> {
  const acts = draws.flatMap((draw) => draw(lane) ?? []);
  const [first, second] = acts;
  if (!first || !second) return [lane.model];
  lane.history.push(`${first.name} and at the same moment ${second.name}`);
  const outcomes = await Promise.all(acts.map((act) => act.ask(service, 'none')));
  for (const [place, act] of acts.entries()) coverage.act(act.name, 'race', outcomes[place] ?? []);
  const sequences: [Act, Outcome][][] = [
    [
      [first, outcomes[0] ?? []],
      [second, outcomes[1] ?? []],
    ],
  ];
  sequences.push([...(sequences[0] ?? [])].reverse());
  const candidates = sequences.flatMap((sequence) => {
    const model = lane.model.clone();
    const isRight = sequence.every(([act, outcome]) => isDeepStrictEqual(act.expect(model, around), outcome));
    return isRight ? [model] : [];
  });
  if (candidates.length === 0)
    fail(
      lane,
      `no order of the two explains the answers ${outcomes.map((outcome) => outcome.join(' ')).join(' and ')}`,
    );
  return candidates;
}

async function choose(
  service: ModelService,
  lanes: readonly Lane[],
  candidates: readonly (readonly LaneModel[])[],
  coverage: Coverage,
): Promise<void> {
  const rows = await readRows(service, lanes);
  for (const [place, lane] of lanes.entries()) {
    if (lane.failure !== undefined) continue;
    try {
      chooseOne(lane, candidates[place] ?? [], rows);
      coverage.states(lane.model);
    } catch (error) {
      lane.failure = error;
    }
  }
}

/** The first candidate that agrees with the service is what happened. */
function chooseOne(lane: Lane, models: readonly LaneModel[], rows: Rows): void {
  for (const model of models) fillIn(model, lane, rows);
  const seen = seenOf(lane, rows);
  const agreeing = models.find((model) => isDeepStrictEqual(expectedOf(model), seen));
  if (!agreeing) fail(lane, 'the orders are others', { seen, expected: expectedOf(models[0] as LaneModel) });
  lane.model = agreeing as LaneModel;
  lane.suspense = suspenseOf(lane, rows);
  for (const [index, order] of lane.orders.entries()) order.seen = { version: seen.orders[index]?.version ?? 0 };
}

/** The quote says what is paid out. */
function fillIn(model: LaneModel, { orders }: Lane, rows: Rows): void {
  for (const [index, order] of model.orders.entries())
    order.amountOutMinor = rows.orders.get(orders[index]?.id ?? '')?.amount_out ?? 0;
}

function fail(lane: Lane, what: string, views?: { seen: unknown; expected: unknown }): never {
  const said = `${what} (merchant ${lane.merchant.merchant}):\n${numbered(lane.history)}`;
  if (views) expect(views.seen, said).toEqual(views.expected);
  throw new Error(said);
}
