/** Approvals run out by the merchant's own clock; it is told 30 and 7 days before, once each. */
import { describe, expect, it } from 'vitest';
import type { Merchant } from '../harness/users.js';
import { merchantWithToken } from '../harness/users.js';
import { caseOf, eventsOf, eventTypes, moveClock, runJob, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();

async function passTime(merchant: Merchant, by: string): Promise<void> {
  await moveClock(kyc, merchant, by);
  for (const job of ['kyc.tell-expiring', 'kyc.tell-expiring', 'kyc.expire']) await runJob(kyc, job);
}

const begun = ['kyc.pending', 'kyc.submitted', 'kyc.approved'];

describe('an approval', () => {
  it('is announced at 30 and at 7 days, once each, and then runs out, once', async () => {
    const merchant = await merchantWithToken(kyc, 'patient');
    const { caseId } = await submitted(kyc, {}, { merchant });
    const types = async () => (await eventTypes(kyc, caseId)).slice(begun.length);
    await passTime(merchant, '690 days');
    expect(await types()).toEqual([]);
    await passTime(merchant, '15 days');
    expect(await types()).toEqual(['kyc.expiring']);
    await passTime(merchant, '10 days');
    expect(await types()).toEqual(['kyc.expiring']);
    await passTime(merchant, '10 days');
    expect(await types()).toEqual(['kyc.expiring', 'kyc.expiring']);
    await passTime(merchant, '10 days');
    expect(await types()).toEqual(['kyc.expiring', 'kyc.expiring', 'kyc.expired']);
    await passTime(merchant, '1 year');
    expect(await types()).toEqual(['kyc.expiring', 'kyc.expiring', 'kyc.expired']);
    expect(await caseOf(kyc, caseId, merchant)).toMatchObject({ status: 'EXPIRED' });
    const events = await eventsOf(kyc, caseId);
    expect(events.find(({ type }) => type === 'kyc.expiring')).toMatchObject({
      previousStatus: null,
      object: { id: caseId, status: 'APPROVED' },
    });
  });

  it('is announced once for the week when its clock jumps past the month', async () => {
    const merchant = await merchantWithToken(kyc, 'jumper');
    const { caseId } = await submitted(kyc, {}, { merchant });
    await passTime(merchant, '727 days');
    expect((await eventTypes(kyc, caseId)).slice(begun.length)).toEqual(['kyc.expiring']);
  });

  it('does not keep the others from being announced or expired when it cannot be', async () => {
    const merchant = await merchantWithToken(kyc, 'unlucky');
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push(await submitted(kyc, {}, { merchant }));
    const [bad, ...good] = made.map(({ caseId }) => caseId);
    await kyc.sql.query(`
      CREATE FUNCTION fail_on_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''broken''; END';
      CREATE TRIGGER fails BEFORE UPDATE ON kyc_cases FOR EACH ROW WHEN (OLD.case_id = '${bad}')
        EXECUTE FUNCTION fail_on_change()`);
    await passTime(merchant, '710 days');
    await passTime(merchant, '1 year');
    for (const caseId of good) {
      expect(await eventTypes(kyc, caseId)).toEqual([...begun, 'kyc.expiring', 'kyc.expired']);
    }
    expect(await eventTypes(kyc, bad ?? '')).toEqual(begun);
    await kyc.sql.query('DROP TRIGGER fails ON kyc_cases');
    await runJob(kyc, 'kyc.expire');
    expect(await eventTypes(kyc, bad ?? '')).toEqual([...begun, 'kyc.expired']);
  });

  it('is not moved by another merchant’s clock', async () => {
    const { caseId } = await submitted(kyc);
    await passTime(await merchantWithToken(kyc, 'hasty'), '10 years');
    expect(await eventTypes(kyc, caseId)).toEqual(begun);
  });

  it('is announced once and runs out once, however many workers come by at once', async () => {
    const merchant = await merchantWithToken(kyc, 'crowded');
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await submitted(kyc, {}, { merchant }));
    const atOnce = (job: string) => Promise.all(Array.from({ length: 4 }, () => runJob(kyc, job)));
    await moveClock(kyc, merchant, '710 days');
    await atOnce('kyc.tell-expiring');
    await moveClock(kyc, merchant, '1 year');
    await atOnce('kyc.expire');
    for (const { caseId } of made) {
      expect(await eventTypes(kyc, caseId)).toEqual([...begun, 'kyc.expiring', 'kyc.expired']);
    }
  });
});
