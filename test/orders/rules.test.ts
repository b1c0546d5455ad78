/** The operators' rules over HTTP: which orders they stop, what operators see, and how rules are changed. */

import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows, operatorTokens } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { ana, type MadeUser, type Merchant, merchantWithToken, told } from '../harness/users.js';
import { eventsOf, get, holdLevel, lupita, place, placed, rateCode, samePerson, sender } from './orders.js';
import { paid, pay, reaches, TestPayouts, tryNow, untilTried } from './paid-orders.js';

const payouts = new TestPayouts();
const running = useRemesa({
  settings: { FOUR_EYES: 'review_rule.change,country_policy.save' },
  payouts,
  hasRates: true,
});
let second = '';

beforeAll(async () => {
  second = (await operatorTokens(running, { second: 'admin' })).second;
});

const token = () => running.admin;
const listRules = async () => (await running.api.get('/operator/rules', { token: running.viewer })).json;
const add = async (body: object) => {
  const answer = await running.api.post('/operator/rules', { token: token(), body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const put = (id: string, body: object) => running.api.call('PUT', `/operator/rules/${id}`, { token: token(), body });
const fileOf = async (id: string) => (await running.api.get(`/operator/orders/${id}/review`, { token: token() })).json;
const approve = async (id: string) => {
  const body = { note: 'A test.', version: (await fileOf(id)).version };
  return running.api.post(`/operator/orders/${id}/approve`, { token: token(), body });
};
/** So that one story's rule does not stop the orders of the next. */
const disable = (ruleId: string) =>
  running.sql
    .query('UPDATE review_rules SET is_enabled = false, version = version + 1 WHERE rule_id = $1', [ruleId])
    .then(() => add({ kind: 'amount', parameters: { fromUsd: 1_000_000 }, isEnabled: false }));

/** Another account for each story, which nobody else pays. CLABE numbers end in a check digit. */
let lastAccount = 0;
function freshBeneficiary() {
  lastAccount += 1;
  const body = `0321800001183${String(lastAccount).padStart(4, '0')}`;
  const weights = [3, 7, 1];
  const sum = [...body].reduce((total, digit, index) => total + ((Number(digit) * (weights[index % 3] ?? 0)) % 10), 0);
  return { ...lupita, account: { clabe: `${body}${(10 - (sum % 10)) % 10}` } };
}
const rich = async () => {
  const user = await sender(running);
  await holdLevel(running, running.acme, user, 'LEVEL_2');
  await holdLevel(running, running.acme, user, 'LEVEL_3');
  return user;
};

describe('a rule', () => {
  it('is there by default, and disabled in a sandbox', async () => {
    expect(await listRules()).toEqual(
      [
        ['amount', { fromUsd: 10_000 }],
        ['velocity', { hours: 24, maxOrders: 5 }],
        ['new_beneficiary', { fromUsd: 3000, days: 0 }],
        ['many_senders', { days: 30, maxSenders: 5 }],
      ].map(([kind, parameters]) => ({
        ...{ kind, parameters, ruleId: expect.stringMatching(/^rul_/), isEnabled: false, version: 1 },
        ...{ merchant: null, corridor: null, updatedAt: expect.any(String) },
      })),
    );
  });

  it('stops an order of its amount or more, tells operators why, and nothing to anybody else', async () => {
    const { ruleId } = await add({ kind: 'amount', parameters: { fromUsd: 150 } });
    const passes = await paid(running, { body: { beneficiary: freshBeneficiary() } });
    await reaches(running, passes, 'PAYOUT_SUBMITTED');
    const body = { beneficiary: freshBeneficiary(), rateCode: await rateCode(running, running.acme, 150) };
    const id = await paid(running, { body });
    const order = await reaches(running, id, 'IN_REVIEW');
    expect(await fileOf(id)).toMatchObject({
      reasons: ['rule'],
      findings: {
        rules: [
          {
            ...{ rule: 'amount', ruleId, parameters: { fromUsd: 150 }, facts: { usd: '150' } },
            explanation: '150 USD; the rule stops 150 USD and more.',
          },
        ],
      },
    });
    const public_ = JSON.stringify([order, (await eventsOf(running, id)).map(({ object }) => object)]);
    expect(public_).not.toContain(ruleId);
    expect(public_).not.toMatch(/"rule"|fromUsd/);
    expect((await approve(id)).status).toBe(200);
    // It passes the gate twice more, before the conversion and before the payout.
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await disable(ruleId);
  });

  it('concerns no other order when it is in the currency of the order, for one corridor and one merchant', async () => {
    const scope = { merchant: 'acme', corridor: 'USD-MXN' };
    const here = await add({ kind: 'amount', parameters: { from: 90, currency: 'USD' }, ...scope });
    expect(here).toMatchObject(scope);
    const elsewhere = { kind: 'amount', parameters: { from: 1, currency: 'USD' } };
    const others = [
      await add({ ...elsewhere, corridor: 'EUR-MXN' }),
      await add({ ...elsewhere, merchant: 'rival' }),
      await add({ ...elsewhere, isEnabled: false }),
      await add({ kind: 'amount', parameters: { from: 1, currency: 'EUR' } }),
    ];
    const id = await paid(running, { body: { beneficiary: freshBeneficiary() } });
    await reaches(running, id, 'IN_REVIEW');
    expect((await fileOf(id)).findings.rules.map((rule: { ruleId: string }) => rule.ruleId)).toEqual([here.ruleId]);
    for (const { ruleId } of [here, ...others]) await disable(ruleId);
  });

  it('stops the first orders to an account of a new beneficiary, until one has arrived', async () => {
    const { ruleId } = await add({ kind: 'new_beneficiary', parameters: { fromUsd: 90, days: 0 } });
    const user = await rich();
    const beneficiary = freshBeneficiary();
    const first = await paid(running, { user, body: { beneficiary } });
    await reaches(running, first, 'IN_REVIEW');
    expect((await fileOf(first)).findings.rules).toMatchObject([
      {
        facts: { knownForHours: null, usd: '100' },
        explanation:
          'The user has paid nothing to this account yet, and the order is for 100 USD; the rule stops 90 USD and more.',
      },
    ]);
    await approve(first);
    await reaches(running, first, 'PAYOUT_SUBMITTED');
    const beforeItArrived = await paid(running, { user, body: { beneficiary } });
    await reaches(running, beforeItArrived, 'IN_REVIEW');
    await running.sql.query(
      `UPDATE orders SET state = 'COMPLETED', version = version + 1, public_version = public_version + 1 WHERE order_id = $1`,
      [first],
    );
    const second_ = await paid(running, { user, body: { beneficiary } });
    await reaches(running, second_, 'PAYOUT_SUBMITTED');
    // Another account of the same person is new again, also when an order is corrected to it.
    const { id } = await placed(running, user, { body: { beneficiary } });
    const corrected = await running.api.post(`/orders/${id}/beneficiary`, {
      token: running.acme.token,
      body: { beneficiary: freshBeneficiary() },
    });
    expect(corrected.status, corrected.text).toBe(200);
    await pay(running, id);
    await reaches(running, id, 'IN_REVIEW');
    await disable(ruleId);
  });

  it('counts users of the merchant who paid the same account as many senders, whoever entered it', async () => {
    const beneficiary = freshBeneficiary();
    const { ruleId } = await add({ kind: 'many_senders', parameters: { days: 30, maxSenders: 2 } });
    const first = await sender(running);
    for (const user of [first, first, await sender(running)])
      await reaches(running, await paid(running, { user, body: { beneficiary } }), 'PAYOUT_SUBMITTED');
    // An order that is never paid counts for nobody.
    await placed(running, await sender(running), { body: { beneficiary } });
    const third = await paid(running, { body: { beneficiary: { ...beneficiary, firstName: 'Maria' } } });
    await reaches(running, third, 'IN_REVIEW');
    expect((await fileOf(third)).findings.rules).toMatchObject([
      {
        facts: { senders: 3, days: 30 },
        explanation: '3 users paid this account in 30 days; the rule allows 2.',
      },
    ]);
    const ofAnother = await paid(running, { merchant: running.rival, body: { beneficiary } });
    await reaches(running, ofAnother, 'PAYOUT_SUBMITTED', running.rival);
    await disable(ruleId);
  });

  it('counts senders up to the payment of the order: an approval stands although older orders are paid later, and the review shows both figures', async () => {
    const beneficiary = freshBeneficiary();
    const { ruleId } = await add({ kind: 'many_senders', parameters: { days: 30, maxSenders: 1 } });
    const older = [await sender(running), await sender(running)].map((user) =>
      placed(running, user, { body: { beneficiary } }),
    );
    const unpaidIds = (await Promise.all(older)).map(({ id }) => id);
    await reaches(running, await paid(running, { body: { beneficiary } }), 'PAYOUT_SUBMITTED');
    const id = await paid(running, { body: { beneficiary } });
    await reaches(running, id, 'IN_REVIEW');
    payouts.obstacle = 'rail_paused';
    for (const unpaidId of unpaidIds) await pay(running, unpaidId);
    expect((await fileOf(id)).findings.rules).toMatchObject([{ facts: { senders: 2, days: 30, sendersToday: 4 } }]);
    // Those who ordered first and paid last are stopped: each sees everybody who paid before.
    for (const unpaidId of unpaidIds) await reaches(running, unpaidId, 'IN_REVIEW');
    expect((await approve(id)).status).toBe(200);
    await untilTried(running, [id]);
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await disable(ruleId);
  });

  it('stops an order that was approved again only when it counts more than the operator saw', async () => {
    const { ruleId } = await add({ kind: 'velocity', parameters: { hours: 24, maxOrders: 1 } });
    const user = await rich();
    payouts.obstacle = 'rail_paused';
    const body = () => ({ beneficiary: freshBeneficiary() });
    const first = await placed(running, user, { body: body() });
    const id = await paid(running, { user, body: body() });
    await reaches(running, id, 'IN_REVIEW');
    expect((await approve(id)).status).toBe(200);
    expect((await get(running, id)).json.status).toBe('PAYMENT_RECEIVED');
    // A later order of the user changes nothing about this one.
    await placed(running, user, { body: body() });
    const stricter = await running.api.post('/operator/rules', {
      token: token(),
      body: { kind: 'velocity', parameters: { hours: 48, maxOrders: 1 } },
    });
    await untilTried(running, [id]);
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'IN_REVIEW');
    expect((await fileOf(id)).findings.rules).toMatchObject([{ ruleId: stricter.json.ruleId }]);
    await approve(id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    expect((await get(running, first.id)).json.status).toBe('AWAITING_PAYMENT');
    for (const rule of [ruleId, stricter.json.ruleId]) await disable(rule);
  });
});

describe('one person with users at two merchants', () => {
  /** What the merchant of the user sees of the limits. */
  const usedOf = async (merchant: Merchant, user: MadeUser) =>
    (await running.api.get(`/user/limits?userId=${user.id}`, { token: merchant.token })).json.limits.map(
      ({ used }: { used: number }) => used,
    );
  const pays = (user: MadeUser, merchant: Merchant, amountIn: number) =>
    rateCode(running, merchant, amountIn).then((code) =>
      paid(running, { user, merchant, body: { rateCode: code, beneficiary: freshBeneficiary() } }),
    );

  it('is stopped when money comes above the limit of the level, and no merchant sees more than before', async () => {
    const [here, there, alike] = [
      await sender(running),
      await sender(running, running.rival),
      await sender(running, running.rival),
    ];
    await samePerson(running, 'P1', [
      [running.acme, here],
      [running.rival, there],
    ]);
    for (const _time of [1, 2]) await reaches(running, await pays(here, running.acme, 200), 'PAYOUT_SUBMITTED');
    const id = await pays(there, running.rival, 150);
    await reaches(running, id, 'IN_REVIEW', running.rival);
    expect((await fileOf(id)).findings.rules).toMatchObject([
      {
        rule: 'person_limit',
        facts: { usd: '550', orders: 3, accounts: 2, hours: 24, level: 'LEVEL_1' },
        explanation:
          'Within 24h, the person behind this user paid 550 USD in 3 orders of 2 accounts. LEVEL_1 allows 500 USD.',
      },
    ]);
    // Somebody else who paid as much sees the same limits, and is not stopped.
    const other = await pays(alike, running.rival, 150);
    await reaches(running, other, 'PAYOUT_SUBMITTED', running.rival);
    expect(await usedOf(running.rival, there)).toEqual(await usedOf(running.rival, alike));
    expect((await approve(id)).status).toBe(200);
    await reaches(running, id, 'PAYOUT_SUBMITTED', running.rival);
  });

  it('counts as one user for a rule on velocity', async () => {
    const [here, there] = [await sender(running), await sender(running, running.rival)];
    await samePerson(running, 'P2', [
      [running.acme, here],
      [running.rival, there],
    ]);
    const { ruleId } = await add({ kind: 'velocity', parameters: { hours: 24, maxOrders: 1 } });
    await reaches(running, await pays(here, running.acme, 50), 'PAYOUT_SUBMITTED');
    const id = await pays(there, running.rival, 50);
    await reaches(running, id, 'IN_REVIEW', running.rival);
    expect((await fileOf(id)).findings.rules).toMatchObject([{ ruleId, facts: { orders: 2, usd: '100' } }]);
    await disable(ruleId);
  });

  it('may not pay on one day what was ordered on two', async () => {
    const merchant = await merchantWithToken(running, 'late');
    const user = await sender(running, merchant);
    const ordered = async () => {
      const body = { rateCode: await rateCode(running, merchant, 200), beneficiary: freshBeneficiary() };
      return (await placed(running, user, { merchant, body })).id;
    };
    const first = [await ordered(), await ordered()];
    const body = { advanceSeconds: 25 * 3600 };
    const advanced = await running.api.post('/sandbox/clock', { token: merchant.token, body });
    expect(advanced.json).toMatchObject({ isFinished: true });
    const last = await ordered();
    for (const id of first) await pay(running, id, merchant);
    for (const id of first) await reaches(running, id, 'PAYOUT_SUBMITTED', merchant);
    await pay(running, last, merchant);
    await reaches(running, last, 'IN_REVIEW', merchant);
    expect((await fileOf(last)).findings.rules).toMatchObject([{ rule: 'person_limit', facts: { usd: '600' } }]);
  });
});

describe('twenty orders of one user at once against a velocity rule that admits three', () => {
  it('pays out only the first three by time; each other one is reviewed with its own count', async () => {
    const user = await rich();
    payouts.obstacle = 'rail_paused';
    const ids: string[] = [];
    // At most ten of a user may be unpaid.
    for (const _batch of [1, 2]) {
      const codes = await Promise.all(Array.from({ length: 10 }, () => rateCode(running, running.acme, 50)));
      const answers = await Promise.all(
        codes.map((code) => place(running, user, { body: { rateCode: code, beneficiary: lupita } })),
      );
      for (const { status, text, json } of answers) {
        expect(status, text).toBe(200);
        ids.push(json.id);
      }
      await Promise.all(ids.slice(-10).map((id) => pay(running, id)));
    }
    await untilTried(running, ids);
    const { ruleId } = await add({ kind: 'velocity', parameters: { hours: 24, maxOrders: 3 } });
    payouts.obstacle = undefined;
    await Promise.all(ids.map((id) => tryNow(running, id)));
    const orders = await Promise.all(ids.map(async (id) => (await get(running, id)).json));
    // Orders of the same millisecond count for one another, so fewer than three may pass, and never more.
    const rank = ({ createdAt }: { createdAt: string }) =>
      orders.filter((other) => other.createdAt <= createdAt).length;
    for (const order of orders) {
      const place_ = rank(order);
      if (place_ <= 3) {
        await reaches(running, order.id, 'PAYOUT_SUBMITTED');
        continue;
      }
      await reaches(running, order.id, 'IN_REVIEW');
      const [finding] = (await fileOf(order.id)).findings.rules;
      expect(finding.explanation).toBe(`${place_} orders in 24 hours; the rule allows 3.`);
    }
    expect(orders.filter((order) => rank(order) <= 3).length).toBeLessThanOrEqual(3);
    expect(new Set(payouts.payouts.map(({ orderId }) => orderId)).size).toBe(payouts.payouts.length);
    await disable(ruleId);
  }, 60_000);
});

describe('changing rules', () => {
  it('needs an admin, the version that was read, and parameters of the kind', async () => {
    const asViewer = { token: running.viewer, body: { kind: 'amount', parameters: { fromUsd: 1 } } };
    expect(told(await running.api.post('/operator/rules', asViewer))[0]).toBe(403);
    const wrong: [object, string][] = [
      [{ kind: 'amount', parameters: { fromUsd: 1, from: 2, currency: 'EUR' } }, 'parameters'],
      [{ kind: 'amount', parameters: { from: 2, currency: 'XQZ' } }, 'parameters.currency'],
      [{ kind: 'velocity', parameters: { hours: 24 } }, 'parameters'],
      [{ kind: 'many_senders', parameters: { days: 0, maxSenders: 5 } }, 'parameters'],
      [{ kind: 'velocity', parameters: { hours: 0, maxOrders: 1 } }, 'parameters.hours'],
      [{ kind: 'amount', parameters: { fromUsd: 1 }, corridor: 'EUR-XQZ' }, 'corridor'],
    ];
    for (const [body, field] of wrong) {
      const answer = await running.api.post('/operator/rules', { token: token(), body });
      expect([answer.status, answer.json.errors?.[0]?.field], answer.text).toEqual([400, field]);
    }
    const [{ ruleId, parameters }] = await listRules();
    const change = { parameters, isEnabled: false };
    expect(told(await put(ruleId, { ...change, version: 9 }))).toEqual([409, 'version_conflict']);
    const unknown = 'rul_00000000000000000000000000';
    expect(told(await put(unknown, { ...change, version: 1 }))).toEqual([404, 'review_rule_not_found']);
    const rows = running.sql.query('DELETE FROM review_rules');
    await expect(rows).rejects.toThrow();
  });

  it('waits for a second operator when a rule that is enabled is changed or disabled, and is recorded', async () => {
    const { ruleId, version } = await add({ kind: 'amount', parameters: { fromUsd: 900_000 } });
    const weaker = await put(ruleId, { parameters: { fromUsd: 950_000 }, isEnabled: true, version });
    expect(weaker.status, weaker.text).toBe(202);
    const pending = (await listRules()).find((rule: { ruleId: string }) => rule.ruleId === ruleId);
    expect(pending).toMatchObject({
      parameters: { fromUsd: 900_000 },
      pendingApproval: { action: 'review_rule.change' },
    });
    const path = `/operator/approvals/${weaker.json.approvalId}/approve`;
    expect((await running.api.post(path, { token: second })).status).toBe(200);
    const off = await put(ruleId, { parameters: { fromUsd: 950_000 }, isEnabled: false, version: 2 });
    expect(off.status).toBe(202);
    await running.api.post(`/operator/approvals/${off.json.approvalId}/approve`, { token: second });
    // What makes the service safer never waits.
    const on = await put(ruleId, { parameters: { fromUsd: 950_000 }, isEnabled: true, version: 3 });
    expect([on.status, on.json.version]).toEqual([200, 4]);
    const recorded = (await auditRows(running.sql, 'review_rule.%')).filter(
      ({ subject }) => subject === `review_rule:${ruleId}`,
    );
    expect(recorded.map(({ action }) => action)).toEqual([
      'review_rule.created',
      ...Array.from({ length: 3 }, () => 'review_rule.changed'),
    ]);
  });
});

describe('the policy of a country', () => {
  const served = { residence: 'allowed', nationality: 'allowed', payout: 'allowed', answers: [], reason: 'A test.' };
  const decide = async (country: string, terms: object) => {
    const all = (await running.api.get('/operator/countries', { token: running.viewer })).json;
    const { version = 0 } = all.find((policy: { country: string }) => policy.country === country) ?? {};
    const body = { ...served, ...terms, version };
    return running.api.call('PUT', `/operator/countries/${country}`, { token: token(), body });
  };
  /** Two people. */
  const allow = async (country: string) => {
    const asked = await decide(country, {});
    expect(asked.status).toBe(202);
    const path = `/operator/approvals/${asked.json.approvalId}/approve`;
    expect((await running.api.post(path, { token: second })).status).toBe(200);
  };
  const again = async (id: string) => {
    await approve(id);
    return reaches(running, id, 'IN_REVIEW');
  };

  it('refuses residents of an embargoed country in every spelling of its code', async () => {
    for (const countryCode of ['KP', 'PRK', 'kp']) {
      const answer = await running.api.post('/user', { token: running.acme.token, body: { ...ana, countryCode } });
      expect([countryCode, told(answer)]).toEqual([countryCode, [400, 'invalid_fields']]);
    }
    const user = await sender(running);
    const change = { token: running.acme.token, body: { countryCode: 'IR' } };
    const path = `/user?userId=${user.id}`;
    expect(told(await running.api.call('PATCH', path, change))).toEqual([400, 'invalid_fields']);
  });

  it('stops new orders and money on its way by one person, whoever approves, and two let it go', async () => {
    payouts.obstacle = 'rail_paused';
    const id = await paid(running, { body: { beneficiary: freshBeneficiary() } });
    await untilTried(running, [id]);
    expect((await decide('MX', { payout: 'prohibited' })).status).toBe(200);
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'IN_REVIEW');
    expect((await fileOf(id)).findings.rules).toMatchObject([
      { rule: 'country_prohibited', facts: { use: 'payout', country: 'MX' } },
    ]);
    expect((await again(id)).status).toBe('IN_REVIEW');
    expect(payouts.payoutsOf(id)).toBe(0);
    const user = await sender(running);
    expect((await place(running, user)).json).toMatchObject({
      ...{ code: 'country_prohibited', country: 'MX', use: 'payout' },
    });
    const ask = { token: running.acme.token, body: lupita };
    expect(told(await running.api.post(`/beneficiaries?userId=${user.id}`, ask))).toEqual([400, 'invalid_fields']);
    await allow('MX');
    await approve(id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('has a person look at each order of an enhanced country, and asks for the source of the money', async () => {
    expect((await decide('MX', { payout: 'enhanced', answers: ['sourceOfFunds'] })).status).toBe(200);
    const user = await sender(running);
    expect((await place(running, user)).json).toMatchObject({
      ...{ code: 'invalid_fields', errors: [{ field: 'sourceOfFunds', code: 'required' }] },
    });
    const body = { beneficiary: freshBeneficiary(), sourceOfFunds: 'salary' };
    const id = await paid(running, { body });
    await reaches(running, id, 'IN_REVIEW');
    expect((await fileOf(id)).findings.rules).toMatchObject([
      { rule: 'country_enhanced', facts: { use: 'payout', country: 'MX' } },
    ]);
    await approve(id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await allow('MX');
    const [row] = (await auditRows(running.sql, 'country_policy.changed')).slice(-1);
    expect(row?.details).toMatchObject({ reason: 'A test.', after: { payout: 'allowed' } });
  });
});
