import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { plainTerms, saveCorridor } from './quoting.js';

interface Corridor {
  readonly fiatIn: string;
  readonly fiatOut: string;
  readonly isOpen: boolean;
  readonly version: number;
}

const running = useRemesa({ settings: { REQUESTS_PER_MINUTE: '1000000' } });
const all = async (): Promise<Corridor[]> =>
  (await running.api.get('/operator/corridors', { token: running.viewer })).json;
const corridor = async (path: string) =>
  (await all()).find(({ fiatIn, fiatOut }) => `${fiatIn}/${fiatOut}` === path) as Corridor;
const putAll = (body: unknown, token = running.admin) =>
  running.api.call('PUT', '/operator/corridors', { token, body });
const put = (path: string, body: unknown) =>
  running.api.call('PUT', `/operator/corridors/${path}`, { token: running.admin, body });

describe('a corridor', () => {
  it('can be sent back as it was read', async () => {
    const read = await corridor('USD/MXN');
    const answer = await put('USD/MXN', read);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...read, version: read.version + 1 });
  });

  it('is refused with 409 and both versions when it was changed since it was read', async () => {
    const read = await corridor('USD/PEN');
    await saveCorridor(running, 'USD/PEN', { marginBasisPoints: 77 });
    const late = await put('USD/PEN', { ...read, isOpen: false });
    expect(told(late)).toEqual([409, 'version_conflict']);
    expect(late.json.conflicts).toEqual([
      { fiatIn: 'USD', fiatOut: 'PEN', version: read.version, currentVersion: read.version + 1 },
    ]);
    expect(await corridor('USD/PEN')).toMatchObject({ isOpen: true, marginBasisPoints: 77 });
  });

  it('is saved by exactly one of many admins who edit it at the same time', async () => {
    const read = await corridor('USD/COP');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put('USD/COP', { ...read, marginBasisPoints: 100 + index })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await corridor('USD/COP')).version).toBe(read.version + 1);
  });

  it('is created once by those who send version 0', async () => {
    const terms = { ...plainTerms, minAmountIn: 50, minAmountOut: 1, version: 0 };
    expect((await put('MXN/USD', terms)).json.version).toBe(1);
    expect(told(await put('MXN/USD', terms))).toEqual([409, 'version_conflict']);
  });

  it('is refused when the body names other currencies than the path', async () => {
    const answer = await put('USD/MXN', await corridor('GBP/PHP'));
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    const fields = answer.json.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(['fiatIn', 'fiatOut']));
  });
});

describe('many corridors', () => {
  it('can all be changed by one request', async () => {
    const before = await all();
    expect(before.length).toBeGreaterThan(290);
    const audited = (await auditRows(running.sql, 'corridor.saved')).length;
    const answer = await putAll(before.map((each) => ({ ...each, isOpen: false })));
    expect(answer.status).toBe(200);
    const expected = before.map((each) => ({ ...each, isOpen: false, version: each.version + 1 }));
    expect(answer.json).toEqual(expected);
    expect(await all()).toEqual(expected);
    expect(await auditRows(running.sql, 'corridor.saved')).toHaveLength(audited + before.length);
  });

  it('are saved together or not at all: after one conflict none is saved', async () => {
    const before = await all();
    const [first, second, third] = before as [Corridor, Corridor, Corridor];
    const answer = await putAll([
      { ...first, isOpen: true },
      { ...second, version: second.version - 1 },
      { ...third, version: third.version + 1 },
    ]);
    expect(told(answer)).toEqual([409, 'version_conflict']);
    expect(answer.json.conflicts.map(({ fiatOut }: Corridor) => fiatOut)).toEqual([second.fiatOut, third.fiatOut]);
    expect(await all()).toEqual(before);
  });

  it('are refused with the faults of all of them', async () => {
    const before = await all();
    const [first, second] = before as [Corridor, Corridor];
    const answer = await putAll([
      { ...first, minAmountIn: 0 },
      { ...second, feeFixed: -1, payoutMethods: ['cash_pickup', 'cash_pickup'] },
      first,
    ]);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors.map(({ field, code }: never) => `${field} ${code}`)).toEqual([
      '0.minAmountIn not_allowed',
      '1.feeFixed signed',
      '1.payoutMethods not_allowed',
      '2 not_allowed',
    ]);
    const { version: _, ...unversioned } = first;
    const shapeless = await putAll([unversioned, { ...second, isOpen: 'yes' }]);
    expect(shapeless.json.errors.map(({ field }: never) => field).toSorted()).toEqual(['0.version', '1.isOpen']);
    expect(await all()).toEqual(before);
  });

  it('can be saved by admins only, and a list that is empty, too long or not a list is refused', async () => {
    expect(told(await putAll(await all(), running.viewer))).toEqual([403, 'role_missing']);
    for (const body of [[], {}, Array.from({ length: 1001 }, () => ({}))])
      expect(told(await putAll(body))[0]).toBe(400);
    const huge = await putAll([{ note: 'x'.repeat(1_048_576) }]);
    expect(told(huge)).toEqual([413, 'body_too_large']);
    expect(huge.json.max).toBe(1_048_576);
  });
});
