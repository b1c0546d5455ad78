import { copyFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();
const [acme, globex] = [merchantId(7), merchantId(8)];

/** Returns the database to an earlier moment, as a failover to a standby that was behind does. */
async function failOverTo(head: number, ends: Readonly<Record<number, number>>): Promise<void> {
  await log.tamper(`DELETE FROM signed_heads WHERE number > ${head}`);
  for (const [merchant, sequence] of Object.entries(ends)) {
    await log.tamper(`DELETE FROM changes WHERE merchant_id = ${merchant} AND number > ${sequence}`);
    await log.tamper(
      `UPDATE change_chains AS chain
          SET number = entry.number, hash = entry.hash, signed_number = least(signed_number, entry.number)
         FROM changes AS entry
        WHERE chain.merchant_id = ${merchant} AND entry.merchant_id = ${merchant} AND entry.number = ${sequence}`,
    );
  }
}

/** Merchant 7 has signed ends at 4, 6 and 9 in the heads 1, 2 and 3; merchant 8 has its end at 2 in head 1. */
beforeEach(async () => {
  await log.record(2, { merchant: globex });
  for (const count of [4, 2, 3]) {
    await log.record(count, { merchant: acme });
    await log.chain();
  }
});

const behind = (heads: string) =>
  expect.stringMatching(new RegExp(`^the database is behind its file of heads by ${heads}`));

describe('a lost tail', () => {
  it('is told from tampering, with its merchant, its first entry and its length', async () => {
    await failOverTo(1, { [acme]: 4 });
    expect(await log.findings()).toEqual({
      faults: [],
      losses: [behind('2 signed heads, head 2 of .* to head 3 of '), '7: entries 5 to 9 are lost (5 in all)'],
      unchecked: [],
    });
  });

  it('is measured from what is left when entries survived without their head', async () => {
    await failOverTo(1, { [acme]: 8 });
    expect((await log.findings()).losses.slice(1)).toEqual(['7: entry 9 is lost (1 in all)']);
  });

  it('is a matter of heads alone when every entry survived', async () => {
    await failOverTo(2, {});
    expect(await log.findings()).toEqual({
      faults: [],
      losses: [behind('1 signed head, head 3 of ')],
      unchecked: [],
    });
  });

  it('is still reported after the log continued, and the new entries are signed', async () => {
    await failOverTo(1, { [acme]: 4 });
    await log.record(3, { merchant: acme });
    await log.record(1, { merchant: globex });
    await log.chain();
    await log.record(4, { merchant: acme });
    await log.chain();
    expect(await log.findings()).toEqual({
      faults: [],
      losses: [
        behind('2 signed heads, head 2 of .* to head 3 of '),
        '7: entries 5 to 9 are lost (at most 5 in all), and later entries have these numbers',
      ],
      unchecked: [],
    });
  });

  it('is over when the file with the lost heads was put aside', async () => {
    await failOverTo(1, { [acme]: 4 });
    log.file = log.newFile();
    await log.record(1, { merchant: acme });
    await log.chain();
    expect(await log.findings()).toEqual({ faults: [], losses: [], unchecked: [] });
  });

  it('is found with a copy of the file that has only the last head', async () => {
    const copy = log.newFile();
    await log.worker(log.database, copy).run(new AbortController().signal);
    copyFileSync(copy.path, log.file.path);
    await failOverTo(1, { [acme]: 4 });
    expect((await log.findings()).losses[1]).toBe('7: entries 5 to 9 are lost (5 in all)');
  });

  it('is told from an edit before it, which is reported as a fault', async () => {
    await failOverTo(1, { [acme]: 4 });
    await log.tamper("UPDATE changes SET action = 'x.y' WHERE merchant_id = 7 AND number = 2");
    expect(await log.findings()).toMatchObject({
      faults: ['7: entry 2 was changed'],
      losses: [behind('2 signed heads'), '7: entries 5 to 9 are lost (5 in all)'],
    });
  });

  it('covers a merchant of whom nothing is left, and everything when the database is empty', async () => {
    await log.tamper('TRUNCATE changes, change_chains, signed_heads');
    expect((await log.findings()).losses).toEqual([
      behind('3 signed heads'),
      '7: entries 1 to 9 are lost (9 in all)',
      '8: entries 1 to 2 are lost (2 in all)',
    ]);
  });
});
