/** The job that decides submitted cases, beside a service whose own worker does not run. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/kyc/review/automatic.js';
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

const kyc = useKycService({ ROLE: 'api' });
const runJob = () => decideJob(kyc.service.database, kyc.review, silentLog).run(AbortSignal.timeout(60_000));

async function submitUndecided(name?: { readonly firstName: string; readonly lastName: string }) {
  const user = await newUser(kyc, kyc.acme, name);
  const token = await newLink(kyc, user);
  await fillIn(kyc, token, {}, name ?? uniqueName(user));
  const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return { user, caseId: outcome.frame.caseId, statusToken: outcome.statusToken };
}

describe('a submitted case', () => {
  it('stays SUBMITTED until the job decides, and its status page loads itself again until then', async () => {
    const { caseId, statusToken } = await submitUndecided();
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'SUBMITTED', decidedAt: null });
    const status = () => fetch(`${kyc.service.url}/kyc/status/${statusToken}`).then((page) => page.text());
    expect(await status()).toContain('http-equiv="refresh"');
    await runJob();
    expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
    expect(await status()).not.toContain('http-equiv="refresh"');
  });

  it('holds up no other case when its submission cannot be opened', async () => {
    const broken = await submitUndecided();
    const sound = await submitUndecided();
    await kyc.sql.query(`UPDATE kyc_submissions SET sealed_answers = '\\x00' WHERE case_id = $1`, [broken.caseId]);
    await runJob();
    expect((await caseOf(kyc, broken.caseId)).status).toBe('SUBMITTED');
    expect((await caseOf(kyc, sound.caseId)).status).toBe('APPROVED');
  });

  it('is decided once, however many workers come by at once', async () => {
    const { caseId } = await submitUndecided();
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
  });

  it('is referred when an equal person was submitted before it was decided, even while that one is being decided', async () => {
    const twin = { firstName: 'Twin', lastName: 'Before a decision' };
    const evidence = [];
    for (const { user, caseId } of [await submitUndecided(twin), await submitUndecided(twin)]) {
      const gathered = await kyc.review.gather(kyc.service.database, idsOf(kyc.acme, user, caseId));
      if (!gathered) throw new Error('no evidence');
      evidence.push(gathered);
    }
    const [first, second] = evidence as [Evidence, Evidence];
    await change(kyc, async (tx) => {
      expect(await kyc.review.conclude(tx, first)).toBe(true);
      expect(await change(kyc, (other) => kyc.review.conclude(other, second))).toBe(true);
    });
    for (const { kycCase } of evidence) expect((await caseOf(kyc, kycCase.caseId)).status).toBe('IN_REVIEW');
  });

  it('is not decided on evidence of an earlier version, nor after its user was deleted', async () => {
    const { user, caseId } = await submitUndecided();
    const evidence = await kyc.review.gather(kyc.service.database, idsOf(kyc.acme, user, caseId));
    if (!evidence) throw new Error('no evidence');
    const stale = { ...evidence, kycCase: { ...evidence.kycCase, version: evidence.kycCase.version - 1 } };
    expect(await change(kyc, (tx) => kyc.review.conclude(tx, stale))).toBe(false);
    await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
    expect(await change(kyc, (tx) => kyc.review.conclude(tx, evidence))).toBe(false);
    expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted']);
  });
});
