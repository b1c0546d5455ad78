/** The job that decides submitted cases, beside a service whose own worker does not run. */
import { describe, expect, it } from 'vitest';
import { decideJob } from '../../src/kyc/review/decide-job.js';
import { silentLog } from '../harness/silent-log.js';
import { newUser } from '../harness/users.js';
import {
  caseOf,
  change,
  consent,
  eventTypes,
  fillIn,
  idsOf,
  newLink,
  uniqueName,
  useKycService,
} from './kyc-service.js';

const test = useKycService({ ROLE: 'api' });
const runJob = () =>
  decideJob(test.service.database, test.review, silentLog).run(AbortSignal.timeout(60_000));

async function submitUndecided() {
  const user = await newUser(test, test.acme);
  const token = await newLink(test, user);
  await fillIn(test, token, {}, uniqueName(user));
  const outcome = await change(test, (tx) => test.forms.submit(tx, token, consent));
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return { user, caseId: outcome.frame.caseId, statusToken: outcome.statusToken };
}

describe('a submitted case', () => {
  it('stays SUBMITTED until the job decides, and its status page loads itself again until then', async () => {
    const { caseId, statusToken } = await submitUndecided();
    expect(await caseOf(test, caseId)).toMatchObject({ status: 'SUBMITTED', decidedAt: null });
    const status = () => fetch(`${test.service.url}/kyc/status/${statusToken}`).then((page) => page.text());
    expect(await status()).toContain('http-equiv="refresh"');
    await runJob();
    expect(await eventTypes(test, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
    expect(await status()).not.toContain('http-equiv="refresh"');
  });

  it('whose submission cannot be opened holds up no other case', async () => {
    const broken = await submitUndecided();
    const sound = await submitUndecided();
    await test.sql.query(`UPDATE kyc_submissions SET sealed_answers = '\\x00' WHERE case_id = $1`, [
      broken.caseId,
    ]);
    await runJob();
    expect((await caseOf(test, broken.caseId)).status).toBe('SUBMITTED');
    expect((await caseOf(test, sound.caseId)).status).toBe('APPROVED');
  });

  it('is decided once, however many workers come by at once', async () => {
    const { caseId } = await submitUndecided();
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(await eventTypes(test, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
  });

  it('is not decided on evidence of an earlier version, nor after its user was deleted', async () => {
    const { user, caseId } = await submitUndecided();
    const evidence = await test.review.gather(test.service.database, idsOf(test.acme, user, caseId));
    if (!evidence) throw new Error('no evidence');
    const stale = { ...evidence, kycCase: { ...evidence.kycCase, version: evidence.kycCase.version - 1 } };
    expect(await change(test, (tx) => test.review.conclude(tx, stale))).toBe(false);
    await test.api.call('DELETE', `/user?userId=${user.id}`, { token: test.acme.token });
    expect(await change(test, (tx) => test.review.conclude(tx, evidence))).toBe(false);
    expect(await eventTypes(test, caseId)).toEqual(['kyc.pending', 'kyc.submitted']);
  });
});
