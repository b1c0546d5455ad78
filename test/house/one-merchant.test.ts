/** The watch over transactions is itself checked: one that writes rows of two merchants fails, and leaves nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { recordChange } from '../../src/changes/service.js';
import { instanceTenant, merchantId, type TenantId } from '../../src/ids.js';
import { bySystem, newMerchant } from '../harness/access.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database, sql } = useTestDatabase();
let acme: TenantId;
let rival: TenantId;

beforeAll(async () => {
  acme = (await newMerchant(database, 'acme')).merchant;
  rival = (await newMerchant(database, 'rival')).merchant;
});

const audited = (...merchants: TenantId[]) =>
  database.transaction(async (tx) => {
    for (const merchant of merchants)
      await recordChange(tx, bySystem, { merchantId: merchant, action: 'test.done', subject: 'test' });
  });

describe('in every test, a transaction', () => {
  it('may write rows of one merchant as often as it likes', async () => {
    await audited(acme, acme);
    await audited(instanceTenant, instanceTenant);
  });

  it('fails when it writes rows of two merchants, or of a merchant and the instance, and leaves nothing', async () => {
    const count = async () => (await sql.query('SELECT count(*)::int AS n FROM changes')).rows[0].n;
    const before = await count();
    await expect(audited(acme, rival)).rejects.toThrow('rows of several merchants');
    await expect(audited(acme, instanceTenant)).rejects.toThrow('rows of several merchants');
    expect(await count()).toBe(before);
    expect(merchantId(acme)).not.toBe(rival);
  });
});
