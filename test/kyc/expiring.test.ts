/** Approvals run out by the merchant's own clock; it is told 30 and 7 days before, once each. */
import { describe, expect, it } from 'vitest';
import type { Merchant } from '../harness/users.js';
import { merchantWithToken } from '../harness/users.js';
import { caseOf, eventsOf, eventTypes, moveClock, runJob, submitted, useKycService } from './kyc-service.js';

const test = useKycService();

async function passTime(merchant: Merchant, by: string): Promise<void> {
  await moveClock(test, merchant, by);
  for (const job of ['kyc.tell-expiring', 'kyc.tell-expiring', 'kyc.expire']) await runJob(test, job);
}

const begun = ['kyc.pending', 'kyc.submitted', 'kyc.approved'];

describe('an approval', () => {
  it('is announced at 30 and at 7 days, once each, and then runs out, once', async () => {
    const merchant = await merchantWithToken(test, 'patient');
    const { caseId } = await submitted(test, {}, { merchant });
    const types = async () => (await eventTypes(test, caseId)).slice(begun.length);
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
    expect(await caseOf(test, caseId, merchant)).toMatchObject({ status: 'EXPIRED' });
    const events = await eventsOf(test, caseId);
    expect(events.find(({ type }) => type === 'kyc.expiring')).toMatchObject({
      previousStatus: null,
      object: { id: caseId, status: 'APPROVED' },
    });
  });

  it('whose clock jumps past the month is announced once for the week', async () => {
    const merchant = await merchantWithToken(test, 'jumper');
    const { caseId } = await submitted(test, {}, { merchant });
    await passTime(merchant, '727 days');
    expect((await eventTypes(test, caseId)).slice(begun.length)).toEqual(['kyc.expiring']);
  });

  it('that cannot be announced or expired does not keep the others from it', async () => {
    const merchant = await merchantWithToken(test, 'unlucky');
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push(await submitted(test, {}, { merchant }));
    const [bad, ...good] = made.map(({ caseId }) => caseId);
    await test.sql.query(`
      CREATE FUNCTION fail_on_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''broken''; END';
      CREATE TRIGGER fails BEFORE UPDATE ON kyc_cases FOR EACH ROW WHEN (OLD.case_id = '${bad}')
        EXECUTE FUNCTION fail_on_change()`);
    await passTime(merchant, '710 days');
    await passTime(merchant, '1 year');
    for (const caseId of good) {
      expect(await eventTypes(test, caseId)).toEqual([...begun, 'kyc.expiring', 'kyc.expired']);
    }
    expect(await eventTypes(test, bad ?? '')).toEqual(begun);
    await test.sql.query('DROP TRIGGER fails ON kyc_cases');
    await runJob(test, 'kyc.expire');
    expect(await eventTypes(test, bad ?? '')).toEqual([...begun, 'kyc.expired']);
  });

  it('of one merchant is not moved by another’s clock', async () => {
    const { caseId } = await submitted(test);
    await passTime(await merchantWithToken(test, 'hasty'), '10 years');
    expect(await eventTypes(test, caseId)).toEqual(begun);
  });

  it('is announced once and runs out once, however many workers come by at once', async () => {
    const merchant = await merchantWithToken(test, 'crowded');
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await submitted(test, {}, { merchant }));
    const atOnce = (job: string) => Promise.all(Array.from({ length: 4 }, () => runJob(test, job)));
    await moveClock(test, merchant, '710 days');
    await atOnce('kyc.tell-expiring');
    await moveClock(test, merchant, '1 year');
    await atOnce('kyc.expire');
    for (const { caseId } of made) {
      expect(await eventTypes(test, caseId)).toEqual([...begun, 'kyc.expiring', 'kyc.expired']);
    }
  });
});
