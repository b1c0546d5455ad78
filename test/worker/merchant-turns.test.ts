import { describe, expect, it } from 'vitest';
import { type TenantId, tenantId } from '../../src/ids.js';
import { MerchantTurns } from '../../src/worker/merchant-turns.js';

const merchants = [1, 2, 3, 4, 5].map((id) => tenantId(BigInt(id)));
const unending = new AbortController().signal;

describe('the turns of merchants', () => {
  it('go on where the round before ended, and begin again after the last merchant', async () => {
    const turns = twoAtOnce(merchants);
    const rounds = [await take(turns), await take(turns), await take(turns), await take(turns)];
    expect(rounds).toEqual([[1, 2], [3, 4], [5], [1, 2]]);
  });

  it('are none when nobody waits', async () => {
    expect(await take(twoAtOnce([]))).toEqual([]);
  });

  it('go on after a merchant whose turn failed, so that it keeps nobody waiting', async () => {
    const turns = twoAtOnce(merchants);
    const failing = async () => {
      for await (const merchantId of turns.next(unending)) if (Number(merchantId) === 2) throw new Error('no');
    };
    await expect(failing()).rejects.toThrow('no');
    expect(await take(turns)).toEqual([3, 4]);
  });

  it('end when the worker stops, and the merchant that had none is the next', async () => {
    const turns = twoAtOnce(merchants);
    const worker = new AbortController();
    const taken: number[] = [];
    for await (const merchantId of turns.next(worker.signal)) {
      taken.push(Number(merchantId));
      worker.abort();
    }
    expect(taken).toEqual([1]);
    expect(await take(turns)).toEqual([2, 3]);
  });
});

function twoAtOnce(waiting: readonly TenantId[]): MerchantTurns {
  return new MerchantTurns(async (after) => waiting.filter((id) => Number(id) > after).slice(0, 2));
}

async function take(turns: MerchantTurns): Promise<number[]> {
  const taken: number[] = [];
  for await (const merchantId of turns.next(unending)) taken.push(Number(merchantId));
  return taken;
}
