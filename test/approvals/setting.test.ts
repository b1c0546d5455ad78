/** FOUR_EYES: which actions need a second operator, and what the audit log says about the setting. */
import { describe, expect, it } from 'vitest';
import { type ApprovalAction, approvalActions } from '../../src/approval.js';
import { recordSetting } from '../../src/approvals/setting.js';
import { readConfig } from '../../src/config/config.js';
import { remesaHere } from '../commands/remesa.js';
import { faultsOf } from '../foundation/refusal.js';
import { auditRows, newOperator, operatorToken, startNode, stopNodesAfterAll } from '../harness/access.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { useTestDatabase } from '../harness/test-database.js';

const live = {
  MODE: 'live',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://remesa:swordfish@db.example.com/remesa',
  MASTER_KEY: testMasterKey,
};
const actionsOf = (settings: Record<string, string>) => [...readConfig(settings).fourEyes.actions];

describe('FOUR_EYES', () => {
  it('is off in the sandbox and all in live unless it is set', () => {
    expect(actionsOf({})).toEqual([]);
    expect(actionsOf(live)).toEqual([...approvalActions]);
    expect(actionsOf({ ...live, FOUR_EYES: 'off' })).toEqual([]);
    expect(actionsOf({ FOUR_EYES: 'all' })).toEqual([...approvalActions]);
    expect(actionsOf({ FOUR_EYES: 'operator.create, corridor.save' })).toEqual(['corridor.save', 'operator.create']);
  });

  it('refuses a name that is no action', () => {
    expect(faultsOf({ FOUR_EYES: 'corridor.save,corridor.open' })).toEqual([
      expect.stringMatching(/^FOUR_EYES must be all, off, or a list of block\.lift, .* not "corridor\.open"$/),
    ]);
  });
});

describe('on a running instance', () => {
  stopNodesAfterAll();
  const { url, sql, database } = useTestDatabase();
  const folder = newFolder();
  const demand = (...actions: ApprovalAction[]) =>
    recordSetting(database, { actions: new Set(actions), usual: new Set() });
  const command = (...args: string[]) =>
    remesaHere({ DATABASE_URL: url, MASTER_KEY: testMasterKey, DATA_DIR: folder }, ...args);

  it('every change of the setting is in the audit log, and a start without a change is not', async () => {
    await demand();
    expect(await auditRows(sql, 'four_eyes.%')).toEqual([]);
    await demand('operator.create');
    // Two nodes that start at the same moment record it once.
    await Promise.all([demand(), demand()]);
    await demand(...approvalActions);
    const recorded = await auditRows(sql, 'four_eyes.%');
    expect(recorded.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['system:start', 'four_eyes.changed', { before: [], now: ['operator.create'] }],
      ['system:start', 'four_eyes.switched_off', { before: ['operator.create'], now: [] }],
      ['system:start', 'four_eyes.changed', { before: [], now: [...approvalActions].sort() }],
    ]);
  });

  it('an action that is not named needs one operator', async () => {
    const node = await startNode(url, { settings: { FOUR_EYES: 'operator.create' } });
    expect(await auditRows(sql, 'four_eyes.%')).toHaveLength(4);
    await newOperator(node.service.database, 'ana', 'admin');
    const token = await operatorToken(node, 'ana');
    const body = { login: 'ben', role: 'viewer' };
    expect((await node.api.post('/operator/operators', { token, body })).status).toBe(202);
    await sql.query(`INSERT INTO operators (login, password_hash, role) VALUES ('ben', 'x', 'viewer')`);
    const changed = await node.api.call('PATCH', '/operator/operators/ben', {
      ...{ token, body: { role: 'admin' } },
    });
    expect([changed.status, changed.json.role]).toEqual([200, 'admin']);
  });

  it('the command line acts alone, says so, and the audit log says so; the first operator is no exception to record', async () => {
    await demand(...approvalActions);
    await sql.query('DELETE FROM operators');
    const first = await command('operator', 'create', 'ana');
    expect([first.code, first.stderr]).toEqual([0, 'ana can log in now.\n']);
    expect(await auditRows(sql, 'four_eyes.bypassed')).toEqual([]);
    const second = await command('operator', 'create', 'ben', '--role', 'viewer');
    expect(second.stderr).toMatch(/demands a second operator .* you acted alone/);
    await command('operator', 'set-role', 'ben', 'admin');
    await command('operator', 'set-password', 'ben');
    await command('operator', 'disable', 'ben');
    await command('operator', 'enable', 'ben');
    await command('merchant', 'create', '--name', 'Acme', '--client-id', 'acme');
    await command('merchant', 'rotate-secret', 'acme');
    const bypassed = await auditRows(sql, 'four_eyes.bypassed');
    expect(bypassed.map(({ actor, details }) => [actor, details])).toEqual([
      ['system:command line', { action: 'operator.create' }],
      ['system:command line', { action: 'operator.change' }],
      ['system:command line', { action: 'operator.change' }],
      ['system:command line', { action: 'operator.change' }],
      ['system:command line', { action: 'merchant.create' }],
      ['system:command line', { action: 'merchant.secret' }],
    ]);
  });
});
