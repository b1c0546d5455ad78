/** Who is one person for the block list and a confirmed hit: what was verified freezes, what is claimed does not. */
import { expect, it } from 'vitest';
import { merchantId, userId } from '../../../src/ids.js';
import { PersonIndex } from '../../../src/persons/service.js';
import { done } from '../../harness/api.js';
import { eventually } from '../../harness/eventually.js';
import { type MadeUser, type Merchant, told } from '../../harness/users.js';
import { withoutTriggers } from '../../harness/without-triggers.js';
import { placed, samePerson, sender, verbsOf } from '../orders.js';
import { following, note, type Sent, useExits } from './exits.js';

const { running, post, stateOf, statusOf, fileOf, decide, work, paid, cancelled, isListed, confirm, block, leaving } =
  useExits();
const { sql } = running;

/** An order with money of another user, of whichever merchant. */
async function paidAt(merchant: Merchant): Promise<Sent> {
  const user = await sender(running, merchant);
  const { id } = await placed(running, user, { merchant });
  done(await running.api.post('/sandbox/payments', { token: merchant.token, body: { orderId: id } }));
  return { id, user };
}
const person = (merchant: string, { user }: { readonly user: MadeUser }) => ({
  ...{ kind: 'person', merchant, userId: user.id, reason: note },
});
const isFrozen = (sent: Sent) => eventually(async () => (await stateOf(sent)) === 'FROZEN', { what: 'a frozen order' });

it('blocks no user whom the merchant does not have', async () => {
  const { user } = await paid();
  expect(told(await post('blocks', person('rival', { user })))).toEqual([404, 'user_not_found']);
  expect(told(await post('blocks', person('nobody', { user })))).toEqual([404, 'merchant_not_found']);
  const { rows } = await sql.query('SELECT FROM blocks WHERE of_user = $1', [user.id]);
  expect(rows).toEqual([]);
});

it('freezes nothing of somebody whose document a blocked user only claims to have, and has a person compare the two', async () => {
  const victim = await paid();
  await samePerson(running, 'VICTIM 1', [[running.acme, victim.user]], 'verified');
  const attacker = await paidAt(running.rival);
  await samePerson(running, 'VICTIM 1', [[running.rival, attacker.user]]);
  await block(person('rival', attacker));
  expect(await stateOf(attacker)).toBe('FROZEN');
  expect(await stateOf(victim)).toBe('PAYMENT_RECEIVED');
  await cancelled(victim);
  await work();
  expect(await statusOf(victim)).toBe('IN_REVIEW');
  expect(await leaving(victim)).toEqual([]);
  expect((await fileOf(victim)).findings.rules).toMatchObject([{ rule: 'like_blocked' }]);
  expect(told(await decide(victim, 'approve'))).toEqual([200, undefined]);
  await work();
  expect(await statusOf(victim)).toBe('REFUNDED');
});

it('a block freezes what the person has at another merchant where approved forms say that it is the same', async () => {
  const [here, there, alike] = [await paid(), await paidAt(running.rival), await paidAt(running.rival)];
  const same = [
    [running.acme, here.user],
    [running.rival, there.user],
  ] as const;
  await samePerson(running, 'TWICE 1', same, 'verified');
  await samePerson(running, 'TWICE 1', [[running.rival, alike.user]]);
  await block(person('acme', here));
  expect([await stateOf(here), await stateOf(there), await stateOf(alike)]).toEqual([
    ...['FROZEN', 'FROZEN', 'PAYMENT_RECEIVED'],
  ]);
});

it('a confirmed hit freezes what the person has at every merchant', async () => {
  const [here, there, alike] = [await paid(), await paidAt(running.rival), await paidAt(running.rival)];
  const same = [
    [running.acme, here.user],
    [running.rival, there.user],
  ] as const;
  await samePerson(running, 'LISTED 1', same, 'verified');
  await samePerson(running, 'LISTED 1', [[running.rival, alike.user]]);
  await following(async () => here, isListed, cancelled, confirm)();
  expect(await stateOf(here)).toBe('FROZEN');
  await isFrozen(there);
  expect(await stateOf(alike)).toBe('PAYMENT_RECEIVED');
  const shown = await running.api.get(`/orders/${there.id}`, { token: running.rival.token });
  expect(shown.json.status).toBe('IN_REVIEW');
  await eventually(
    async () => (await sql.query('SELECT FROM screening_hits WHERE applied_at IS NOT NULL')).rowCount === 1,
    { what: 'the hit applied' },
  );
});

it('finds the other accounts of each person, however many somebody else has', async () => {
  const [crowd, here, there] = [await sender(running), await sender(running), await sender(running, running.rival)];
  await samePerson(running, 'CROWD 1', [[running.acme, crowd]]);
  await samePerson(running, 'ALONE 1', [
    [running.acme, here],
    [running.rival, there],
  ]);
  const persons = new PersonIndex((await verbsOf(running)).vault.rootKey);
  const digest = persons.digestOf('document', 'MX CROWD1');
  const others = `INSERT INTO person_identifiers (merchant_id, user_id, kind, source, digest)
                  SELECT $1, n, 'document', 'form', $2 FROM generate_series(1, 501) AS n`;
  await withoutTriggers(sql, (client) => client.query(others, [running.rival.merchant, digest]));
  const ids = [crowd, here].map(({ id }) => userId(id));
  const found = await persons.accountsOf(running.service.database, merchantId(running.acme.merchant), ids);
  expect([...found.values()].map(({ length }) => length)).toEqual([501, 2]);
});

it('one account that fails stops no other: the block is not applied, a task says so, and the job tries again', async () => {
  const [here, there] = [await paid(), await paidAt(running.rival)];
  const same = [
    [running.acme, here.user],
    [running.rival, there.user],
  ] as const;
  await samePerson(running, 'FAILING 1', same, 'verified');
  const tamper = (assignment: string) =>
    withoutTriggers(sql, (client) => client.query(`UPDATE orders SET ${assignment} WHERE order_id = $1`, [here.id]));
  await tamper('amount_out_minor = amount_out_minor * 10');
  const { blockId } = done(await post('blocks', person('acme', here)));
  await isFrozen(there);
  expect(await stateOf(here)).toBe('PAYMENT_RECEIVED');
  const appliedAt = async () =>
    (await sql.query('SELECT applied_at FROM blocks WHERE block_id = $1', [blockId])).rows[0].applied_at;
  expect(await appliedAt()).toBe(null);
  const tasks = async () =>
    done(await running.api.get('/operator/tasks?kind=block_unapplied', { token: running.viewer }));
  expect(await tasks()).toEqual([]);
  await sql.query(`UPDATE blocks SET blocked_at = blocked_at - interval '6 minutes' WHERE block_id = $1`, [blockId]);
  expect(await tasks()).toMatchObject([{ id: `block_unapplied.${blockId}`, path: `/operator/blocks/${blockId}` }]);
  await tamper('amount_out_minor = amount_out_minor / 10');
  await withoutTriggers(sql, (client) => client.query('UPDATE ledgers SET fault = NULL, fault_at = NULL'));
  await running.service.database.transaction(async (tx) => tx.wake('persons.apply-blocks'));
  await isFrozen(here);
  await eventually(async () => (await appliedAt()) !== null, { what: 'the block applied' });
  expect(await tasks()).toEqual([]);
});
