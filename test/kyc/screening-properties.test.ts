/** Any sequence of submits, list changes, screenings and decisions leaves states, events and audit entries that agree. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { rescreenJob } from '../../src/kyc/rescreening/rescreen-job.js';
import { decideJob } from '../../src/kyc/review/decide-job.js';
import { kycHistory } from '../harness/histories.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { type MadeUser, newUser } from '../harness/users.js';
import { change, consent, decide, fillIn, rejection, spelled, uniqueName, useKycService } from './kyc-service.js';
import { listedPerson } from './screening-lists.js';

const kyc = useKycService({ ROLE: 'api' });
const steps = [
  'submit',
  'decide',
  'list',
  'alias',
  'unlist',
  'rescreen',
  'dismiss',
  'confirm',
  'approve',
  'reject',
] as const;
type Step = (typeof steps)[number];

/** No two lists are equal. */
let versions = 0;

class Story {
  readonly entryId: string;
  #aliases: string[] = [];
  #isListed = false;

  constructor(readonly user: MadeUser) {
    this.entryId = `P-${user.id}`;
  }

  async take(step: Step): Promise<void> {
    const { database } = kyc.service;
    const signal = AbortSignal.timeout(60_000);
    if (step === 'submit') await this.#submit();
    else if (step === 'decide') await decideJob(database, kyc.review, silentLog).run(signal);
    else if (step === 'rescreen') await rescreen(signal);
    else if (step === 'dismiss' || step === 'confirm') await this.#decideHits(step);
    else if (step === 'approve') await this.#decideCase({ decision: 'approve', internalReason: 'Sure.' });
    else if (step === 'reject') await this.#decideCase(rejection);
    else this.#changeList(step);
  }

  #changeList(step: 'list' | 'alias' | 'unlist'): void {
    this.#isListed = step !== 'unlist';
    if (step === 'alias') this.#aliases.push(`Alias ${spelled(this.#aliases.length + 1)} Zubrowka`);
    const name = `NGUYEN-ORSTED REYES, Ana Amelie ${spelled(this.user.id)}`;
    const entry = listedPerson(this.entryId, name, ...this.#aliases);
    kyc.lists.replace([...(this.#isListed ? [entry] : []), listedPerson('other', `Version ${spelled(++versions)}`)]);
  }

  /** A form that is not open stays closed. */
  async #submit(): Promise<void> {
    const link = await kyc.api.post(`/kyc/links?userId=${this.user.id}`, {
      token: kyc.acme.token,
      body: { kycLevel: 'LEVEL_1', zone: 'EEA' },
    });
    if (link.status !== 200) return;
    const token = link.json.url.split('/').at(-1);
    await fillIn(kyc, token, {}, uniqueName(this.user));
    await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
  }

  async #decideHits(verb: 'dismiss' | 'confirm'): Promise<void> {
    const search = `/operator/screening/hits?userId=${this.user.id}`;
    for (const { id } of (await kyc.api.get(search, { token: kyc.viewer })).json) {
      const path = `/operator/screening/hits/${id}/${verb}`;
      const answer = await kyc.api.post(path, { token: kyc.reviewer, body: { note: 'Compared.' } });
      expect(answer.status).toBe(200);
    }
  }

  async #decideCase(body: unknown): Promise<void> {
    for (const { case_id: caseId } of await this.cases()) await decide(kyc, caseId, body);
  }

  cases(): Promise<{ case_id: string; state: string; version: number; reasons: string[] }[]> {
    return rows('SELECT case_id, state, version, reasons FROM kyc_cases WHERE user_id = $1', this.user.id);
  }

  async check(): Promise<void> {
    const hits = await rows('SELECT hit_id, state FROM screening_hits WHERE user_id = $1', this.user.id);
    for (const { hit_id: id, state } of hits) await checkHit(id, state);
    for (const kycCase of await this.cases()) {
      await checkCase(kycCase);
      if (hits.some((hit) => hit.state === 'confirmed')) expect(kycCase.state).not.toBe('APPROVED');
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any query
function rows(text: string, ...values: unknown[]): Promise<any[]> {
  return kyc.sql.query(text, values).then((result) => result.rows);
}

async function rescreen(signal: AbortSignal): Promise<void> {
  const { database } = kyc.service;
  const job = rescreenJob({
    ...{ database, users: kyc.users, hits: kyc.hits, screening: kyc.lists, log: silentLog },
    clock: systemClock,
    peoplePerSecond: 10_000,
  });
  while ((await job.run(signal)) > 0);
}

/** The history, the events and the audit log tell the same story, and it ends in the state of the case. */
async function checkCase({ case_id: id, state, version }: { case_id: string; state: string; version: number }) {
  const history = await rows(
    `SELECT move, to_state FROM ${kycHistory} AS entry WHERE case_id = $1 ORDER BY version`,
    id,
  );
  expect(history).toHaveLength(version);
  expect(history.at(-1).to_state).toBe(state);
  const events = await rows('SELECT type FROM events WHERE subject = $1 ORDER BY recorded_at, event_id', id);
  expect(events.map(({ type }) => type)).toEqual(history.map((row) => `kyc.${row.to_state.toLowerCase()}`));
  const audited = await rows(
    `SELECT action, to_state FROM changes WHERE subject = $1 AND to_state IS NOT NULL ORDER BY id`,
    `kyc:${id}`,
  );
  expect(audited).toEqual(history.map((row) => ({ action: `kyc.${row.move}`, to_state: row.to_state })));
}

async function checkHit(id: string, state: string): Promise<void> {
  const actions = (
    await rows(
      `SELECT action FROM changes WHERE subject = $1 AND action NOT LIKE '%looked_at' ORDER BY id`,
      `hit:${id}`,
    )
  ).map(({ action }) => action.replace('screening.hit_', ''));
  expect(actions[0]).toBe('found');
  const decisions = actions.slice(1).filter((action) => action !== 'changed');
  expect(decisions).toEqual(state === 'open' ? [] : [state]);
  expect(state === 'open' ? 'open' : actions.at(-1)).toBe(state);
}

it('states, events and audit entries agree after any sequence of submits, list changes and decisions', async () => {
  const sequence = fc.array(fc.constantFrom(...steps), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sequence, async (taken) => {
      const story = new Story(await newUser(kyc, kyc.acme));
      for (const step of ['submit', ...taken] as const) await story.take(step);
      await story.check();
    }),
    { numRuns: rounds(6, 200), endOnFailure: true },
  );
});
