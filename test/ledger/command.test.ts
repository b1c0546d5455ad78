/** `remesa ledger verify` on the database of a service. */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { KeyVault } from '../../src/keys/vault.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { LedgerService } from '../../src/ledger/service.js';
import { remesaHere } from '../commands/remesa.js';
import { newMerchant, startNode, stopNodesAfterAll } from '../harness/access.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { nameIn, noon, numberAll, postings } from './ledger.js';

const folder = newFolder();
stopNodesAfterAll();
const place = useTestDatabase();
const environment = { DATABASE_URL: place.url, DATA_DIR: folder, MASTER_KEY: testMasterKey, MODE: 'sandbox' };

async function verify(...options: string[]): Promise<{ text: string; code: number | null }> {
  const { stderr, code } = await remesaHere(environment, 'ledger', 'verify', ...options);
  return { text: stderr, code };
}

beforeAll(async () => {
  // Without jobs: one of them would check the ledgers too.
  await startNode(place.url, { settings: { ROLE: 'api' } });
  const { database } = place;
  const masterKey = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
  const sealer = new LedgerSealer((await KeyVault.open(database, masterKey)).rootKey);
  const ledger = new LedgerService(sealer, systemClock);
  for (const name of ['acme', 'beta']) {
    const { merchant } = await newMerchant(database, name);
    for (let index = 0; index < 3; index += 1)
      await database.transaction(async (tx) => {
        const story = postings('fee:EUR -5', 'charges:EUR 5');
        await nameIn(tx, await ledger.post(tx, merchant, { event: 'test', occurredAt: noon, postings: story }));
      });
  }
  await numberAll(database, sealer);
});

describe('remesa ledger verify', () => {
  it('says how much it checked, names the merchant and the posting of a fault, and then exits with 1', async () => {
    expect(await verify()).toEqual({
      text: 'Ledger: 6 journals of 3 ledgers checked, 0 ledgers with faults.\n',
      code: 0,
    });
    expect((await verify()).text).toContain('Ledger: 0 journals of 3 ledgers checked');
    expect((await verify('--from-start', '--merchant', 'acme')).text).toContain('Ledger: 3 journals of 1 ledgers');
    await withoutTriggers(place.sql, (client) =>
      client.query(
        `UPDATE ledger_postings SET account = 'margin:EUR' FROM merchants
          WHERE merchants.merchant_id = ledger_postings.merchant_id AND client_id = 'beta' AND position = 1`,
      ),
    );
    expect((await verify('--from-start', '--merchant', 'acme')).code).toBe(0);
    const found = await verify('--from-start');
    expect(found.text).toMatch(/FAULT: merchant beta: posting 1 of journal 1 \(jrn_\w+\) was changed/);
    expect(found.text).toContain('6 journals of 3 ledgers checked, 1 ledgers with faults');
    expect(found.code).toBe(1);
    const stopped = await place.sql.query(
      'SELECT client_id FROM ledgers JOIN merchants USING (merchant_id) WHERE fault IS NOT NULL',
    );
    expect(stopped.rows).toEqual([{ client_id: 'beta' }]);
  });
});
