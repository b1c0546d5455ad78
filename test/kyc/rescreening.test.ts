/** Continuous screening, beside a service whose own worker does not run, with lists that the test replaces. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { rescreenJob } from '../../src/kyc/rescreening/rescreen-job.js';
import { decideJob } from '../../src/kyc/review/decide-job.js';
import type { ListEntry } from '../../src/screening/lists/entry.js';
import { silentLog } from '../harness/silent-log.js';
import { newUser } from '../harness/users.js';
import {
  caseOf,
  change,
  consent,
  decide,
  eventTypes,
  fillIn,
  idsOf,
  newLink,
  spelled,
  uniqueName,
  useKycService,
} from './kyc-service.js';
import { listedPerson, type TestLists } from './screening-lists.js';

const kyc = useKycService({ ROLE: 'api' });
const signal = () => AbortSignal.timeout(60_000);
const decideAll = () => decideJob(kyc.service.database, kyc.review, silentLog).run(signal());
/** A node of its own: each has another lease. */
const node = (screening: Pick<TestLists, 'snapshot' | 'listStatuses'> = kyc.lists, peoplePerSecond = 10_000) =>
  rescreenJob({
    ...{ database: kyc.service.database, users: kyc.users, hits: kyc.hits, screening, peoplePerSecond },
    clock: systemClock,
    log: silentLog,
  });
const finish = async (job = node()) => {
  while ((await job.run(signal())) > 0);
};
const runs = async () => (await kyc.api.get('/operator/screening/runs', { token: kyc.viewer })).json;
const openHits = async (userId: number) =>
  (await kyc.api.get(`/operator/screening/hits?userId=${userId}`, { token: kyc.viewer })).json;

/** Somebody whose case was submitted and decided. */
async function decidedPerson() {
  const user = await newUser(kyc, kyc.acme);
  const token = await newLink(kyc, user);
  await fillIn(kyc, token, {}, uniqueName(user));
  const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  await decideAll();
  const { caseId } = outcome.frame;
  return { user, caseId };
}

/** Approved by the lists as they are. The list names the user by the letters of the id. */
async function approvedPerson() {
  const { user, caseId } = await decidedPerson();
  expect((await caseOf(kyc, caseId)).status).toBe('APPROVED');
  const entry = listedPerson(`E-${user.id}`, `NGUYEN-ORSTED REYES, Ana Amelie ${spelled(user.id)}`);
  return { user, caseId, entry };
}

let serial = 0;
/** Another version each time. */
function replaceLists(...entries: ListEntry[]) {
  serial += 1;
  kyc.lists.replace([...entries, listedPerson(`serial-${serial}`, `Zzyzx Version${spelled(serial)}`)]);
}

describe('when a list changes', () => {
  it('a birth date lowers a score only after an operator has approved a document with it', async () => {
    const [claimed, verified] = [await approvedPerson(), await approvedPerson()];
    const level = 'LEVEL_2';
    const token = await newLink(kyc, verified.user, { level });
    await fillIn(kyc, token, { level }, uniqueName(verified.user));
    const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    await decideAll();
    const approval = { decision: 'approve', internalReason: 'The passport is genuine.' };
    expect((await decide(kyc, outcome.frame.caseId, approval)).json.status).toBe('APPROVED');
    const born = { from: 19310101, to: 19310101, isApproximate: false };
    const others = [claimed, verified].map(({ entry }) => ({ ...entry, birthDates: [born], countries: ['KP'] }));
    replaceLists(...others);
    await finish();
    expect(await openHits(claimed.user.id)).toMatchObject([{ entryId: claimed.entry.id, state: 'open' }]);
    expect(await openHits(verified.user.id)).toEqual([]);
  });

  it('everyone with an approved level is screened again; a hit leaves the level until it is confirmed', async () => {
    const { user, caseId, entry } = await approvedPerson();
    replaceLists(entry);
    await finish();
    const [hit] = await openHits(user.id);
    expect(hit).toMatchObject({ list: 'test', entryId: entry.id, state: 'open' });
    expect((await caseOf(kyc, caseId)).status).toBe('APPROVED');
    expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
    const [run] = await runs();
    expect(run).toMatchObject({
      state: 'finished',
      failed: 0,
      newHits: 1,
      listsVersion: kyc.lists.snapshot().version,
    });
    expect(run.screened).toBe(run.users);
    const confirm = await kyc.api.post(`/operator/screening/hits/${hit.id}/confirm`, {
      token: kyc.reviewer,
      body: { note: 'The same person.' },
    });
    expect(confirm.status).toBe(200);
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'REVOKED', reasons: ['COMPLIANCE'] });
  });

  it('a dismissed hit stays dismissed until the entry changes', async () => {
    const { user, entry } = await approvedPerson();
    replaceLists(entry);
    await finish();
    const [hit] = await openHits(user.id);
    await kyc.api.post(`/operator/screening/hits/${hit.id}/dismiss`, {
      token: kyc.reviewer,
      body: { note: 'Somebody else.' },
    });
    replaceLists(entry);
    await finish();
    expect(await openHits(user.id)).toEqual([]);
    replaceLists({ ...entry, names: [...entry.names, 'Another Alias'] });
    await finish();
    expect(await openHits(user.id)).toMatchObject([{ entryId: entry.id, state: 'open' }]);
  });

  it('a run goes on where it stopped, on another node, and screens nobody twice', async () => {
    for (let count = 0; count < 3; count += 1) await approvedPerson();
    await finish();
    replaceLists();
    const slow = node(kyc.lists, 1);
    // At one person per second a batch has one person, and the run waits after it: the signal ends the wait.
    expect(await slow.run(AbortSignal.timeout(1))).toBe(1);
    const other = node();
    expect(await other.run(signal())).toBe(0);
    const [begun] = await runs();
    expect(begun).toMatchObject({ state: 'running', screened: 1 });
    await kyc.sql.query(`UPDATE screening_runs SET leased_until = now() WHERE superseded_at IS NULL`);
    await finish(other);
    const [run] = await runs();
    expect(run).toMatchObject({ id: begun.id, state: 'finished' });
    expect(run.screened).toBe(run.users);
  });

  it('a node with older lists neither works on the run nor starts one of its own', async () => {
    await finish();
    const before = { snapshot: () => old, listStatuses: () => [{ loadedAt: oldLoadedAt }] };
    const old = kyc.lists.snapshot();
    const oldLoadedAt = kyc.lists.loadedAt;
    replaceLists();
    await finish();
    const [newest] = await runs();
    await finish(node(before));
    expect((await runs())[0]).toEqual(newest);
  });

  it('leaves out deleted users, and whoever cannot be screened does not stop the others', async () => {
    const gone = await approvedPerson();
    const broken = await approvedPerson();
    const sound = await approvedPerson();
    await kyc.api.call('DELETE', `/user?userId=${gone.user.id}`, { token: kyc.acme.token });
    const { rows } = await kyc.sql.query('SELECT sealed_answers FROM kyc_submissions WHERE case_id = $1', [
      broken.caseId,
    ]);
    const set = (bytes: Buffer) =>
      kyc.sql.query('UPDATE kyc_submissions SET sealed_answers = $2 WHERE case_id = $1', [broken.caseId, bytes]);
    await set(Buffer.from([0]));
    replaceLists(gone.entry, broken.entry, sound.entry);
    await finish();
    expect((await runs())[0]).toMatchObject({ state: 'finished', failed: 1 });
    expect(await openHits(gone.user.id)).toEqual([]);
    expect(await openHits(sound.user.id)).toHaveLength(1);
    // A finished run looks again after a while.
    await set(rows[0].sealed_answers);
    await kyc.sql.query(`UPDATE screening_runs SET leased_until = now() WHERE superseded_at IS NULL`);
    await finish();
    expect(await openHits(broken.user.id)).toHaveLength(1);
  });
});

describe('a decision', () => {
  it('rests on one snapshot: a list that is replaced in the middle counts from the next screening on', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user);
    await fillIn(kyc, token, {}, uniqueName(user));
    const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { caseId } = outcome.frame;
    const evidence = await kyc.review.gather(kyc.service.database, idsOf(kyc.acme, user, caseId));
    const version = kyc.lists.snapshot().version;
    replaceLists(listedPerson('MID', `NGUYEN-ORSTED REYES, Ana Amelie ${spelled(user.id)}`));
    if (!evidence) throw new Error('no evidence');
    expect(await change(kyc, (tx) => kyc.review.conclude(tx, evidence))).toBe(true);
    expect((await caseOf(kyc, caseId)).status).toBe('APPROVED');
    const file = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(file.json.checks).toContainEqual({ check: 'screening', outcome: 'passed', listsVersion: version });
    await finish();
    expect(await openHits(user.id)).toMatchObject([{ entryId: 'MID' }]);
  });

  it('waits for the next run when the registered name changes in the middle', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user);
    await fillIn(kyc, token, {}, uniqueName(user));
    const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { caseId } = outcome.frame;
    const evidence = await kyc.review.gather(kyc.service.database, idsOf(kyc.acme, user, caseId));
    if (!evidence) throw new Error('no evidence');
    await kyc.api.call('PATCH', `/user?userId=${user.id}`, {
      token: kyc.acme.token,
      body: { firstName: 'Anita' },
    });
    expect(await change(kyc, (tx) => kyc.review.conclude(tx, evidence))).toBe(false);
    expect((await caseOf(kyc, caseId)).status).toBe('SUBMITTED');
    await decideAll();
    expect((await caseOf(kyc, caseId)).status).not.toBe('SUBMITTED');
  });

  it('sends everyone to review while a list is missing or too old, and nobody is screened again then', async () => {
    kyc.lists.usability = { isUsable: false, reason: 'ofac: is too old' };
    try {
      const { caseId } = await decidedPerson();
      expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
      const file = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
      expect(file.json.checks).toContainEqual(
        expect.objectContaining({ check: 'screening', outcome: 'failed', about: ['ofac: is too old'] }),
      );
      replaceLists();
      expect(await node().run(signal())).toBe(0);
    } finally {
      kyc.lists.usability = { isUsable: true };
    }
  });
});
