import { beforeEach, describe, expect, it } from 'vitest';
import { StartupRefused } from '../../src/errors.js';
import { confirmInstance } from '../../src/postgres/instance.js';
import { useTestDatabase } from '../harness/test-database.js';

describe('the mode of an instance', () => {
  const { database, sql } = useTestDatabase();
  const confirm = (mode: 'sandbox' | 'live') => confirmInstance(database, mode);

  beforeEach(() =>
    sql.query(`ALTER TABLE instance DISABLE TRIGGER USER;
               TRUNCATE instance;
               ALTER TABLE instance ENABLE TRIGGER USER`),
  );

  it('is recorded at the first start and accepted at every later one', async () => {
    await confirm('sandbox');
    await confirm('sandbox');
    const { rows } = await sql.query('SELECT mode FROM instance');
    expect(rows).toEqual([{ mode: 'sandbox' }]);
  });

  it('is recorded once when several nodes start at once in different modes', async () => {
    const modes = ['sandbox', 'live', 'sandbox', 'live', 'sandbox', 'live'] as const;
    const outcomes = await Promise.allSettled(modes.map((mode) => confirm(mode)));
    const { rows } = await sql.query('SELECT mode FROM instance');
    expect(rows).toHaveLength(1);
    expect(outcomes.map(({ status }) => status)).toEqual(
      modes.map((mode) => (mode === rows[0].mode ? 'fulfilled' : 'rejected')),
    );
  });

  it.each([
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const)('refuses to start a %s database as %s', async (recorded, other) => {
    await confirm(recorded);
    await expect(confirm(other)).rejects.toThrow(StartupRefused);
    await expect(confirm(other)).rejects.toThrow(`This database is a ${recorded} instance and MODE is ${other}`);
  });

  it('cannot be changed by an UPDATE', async () => {
    await confirm('sandbox');
    await expect(sql.query(`UPDATE instance SET mode = 'live'`)).rejects.toThrow(
      'the mode of an instance never changes',
    );
  });

  it('cannot be deleted', async () => {
    await confirm('sandbox');
    await expect(sql.query('DELETE FROM instance')).rejects.toThrow('DELETE of instance is not allowed');
  });

  it('cannot be recorded a second time', async () => {
    await confirm('sandbox');
    const second = `INSERT INTO instance (only_row, mode) VALUES ($1, 'live')`;
    await expect(sql.query(second, [true])).rejects.toThrow('duplicate key');
    await expect(sql.query(second, [false])).rejects.toThrow('check constraint');
  });
});
