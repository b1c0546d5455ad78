/**
 * Two who decide at once: one decision, one event, and the audit log shows both tries (K8 of the list of guarantees).
 */
import { describe, expect, it } from 'vitest';
import { auditRows, newOperator, operatorToken } from '../harness/access.js';
import { rounds } from '../harness/rounds.js';
import { newUser } from '../harness/users.js';
import {
  change,
  decide,
  decided,
  eventTypes,
  fillIn,
  newLink,
  rejection,
  spelled,
  submit,
  submitted,
  uniqueName,
  useKycService,
} from './kyc-service.js';
import { photo } from './people.js';

const kyc = useKycService();

describe('approve and reject at once', { timeout: 900_000 }, () => {
  it('one wins, the other is told; one event; both tries are audited', async () => {
    await newOperator(kyc.service.database, 'second', 'reviewer');
    const second = await operatorToken(kyc, 'second');
    for (let round = 0; round < rounds(3, 100); round += 1) {
      const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
      const answers = await Promise.all([
        decide(kyc, caseId, { decision: 'approve' }),
        decide(kyc, caseId, rejection, second),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const lost = answers.find(({ status }) => status === 409);
      expect(lost?.json.code).toBe('kyc_case_not_decidable');
      const types = await eventTypes(kyc, caseId);
      expect(types.slice(0, 3)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.in_review']);
      expect(types.slice(3)).toHaveLength(1);
      const tries = (await auditRows(kyc.sql, 'kyc.%')).filter(
        ({ subject, action }) => subject === `kyc:${caseId}` && /approve|reject/.test(action),
      );
      const isApproved = types[3] === 'kyc.approved';
      expect(tries.map(({ action }) => action).sort()).toEqual(
        isApproved ? ['kyc.approve', 'kyc.reject_refused'] : ['kyc.approve_refused', 'kyc.reject'],
      );
      expect(new Set(tries.map(({ actor }) => actor)).size).toBe(2);
    }
  });
});

describe('an approval of what was read', () => {
  it('is refused when other documents came meanwhile, and nothing is decided', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const read = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    const { version } = read.json;
    const internalReason = 'Dark.';
    await decide(kyc, caseId, { decision: 'request', parts: ['selfie'], publicReasons: ['blurry'], internalReason });
    const fresh = await newLink(kyc, user, { level: 'LEVEL_2' });
    await change(kyc, (tx) => kyc.forms.attachDocument(tx, fresh, 'selfiePhoto', photo()));
    await submit(kyc, fresh);
    const stale = await decide(kyc, caseId, { decision: 'approve', version });
    expect([stale.status, stale.json.code, stale.json.version > version]).toEqual([409, 'version_conflict', true]);
    expect(await decided(kyc, caseId)).toBe('IN_REVIEW');
    expect((await decide(kyc, caseId, { decision: 'approve', version: stale.json.version })).status).toBe(200);
  });
});

describe('a file that comes after the end', () => {
  it('is not taken, and leaves nothing behind', async () => {
    const { user, caseId, token } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, {
      decision: 'request',
      parts: ['selfie'],
      publicReasons: ['blurry'],
      internalReason: 'Dark.',
    });
    const fresh = await newLink(kyc, user, { level: 'LEVEL_2' });
    const attach = (with_: string) => change(kyc, (tx) => kyc.forms.attachDocument(tx, with_, 'selfiePhoto', photo()));
    await attach(fresh);
    await submit(kyc, fresh);
    await decide(kyc, caseId, rejection);
    const count = async () =>
      (await kyc.sql.query('SELECT count(*)::int AS n FROM kyc_documents WHERE case_id = $1', [caseId])).rows[0].n;
    const before = await count();
    for (const late of [token, fresh]) expect((await attach(late)).kind).toBe('submitted');
    expect(await count()).toBe(before);
  });
});

describe('a deletion and a new link at once', { timeout: 900_000 }, () => {
  it('leave no link behind, whether there was a case before or not', async () => {
    for (let round = 0; round < rounds(6, 200); round += 1) {
      const user = await newUser(kyc, kyc.acme);
      if (round % 2 === 0) await newLink(kyc, user);
      const { token } = kyc.acme;
      const path = `userId=${user.id}`;
      const ask = kyc.api.post(`/kyc/links?${path}`, {
        token,
        body: { kycLevel: 'LEVEL_1', zone: 'EEA' },
      });
      const [link, erased] = await Promise.all([ask, kyc.api.call('DELETE', `/user?${path}`, { token })]);
      expect([200, 404]).toContain(link.status);
      expect(erased.status).toBe(200);
      const { rows } = await kyc.sql.query('SELECT 1 FROM kyc_capabilities WHERE user_id = $1', [user.id]);
      expect(rows).toEqual([]);
    }
  });
});

describe('the same person under two users at once', { timeout: 900_000 }, () => {
  it('is seen: at most one is approved', async () => {
    for (let round = 0; round < rounds(3, 100); round += 1) {
      const twin = { firstName: 'Twin', lastName: `At once ${spelled(round)}` };
      const tokens: string[] = [];
      for (let count = 0; count < 2; count += 1) {
        const token = await newLink(kyc, await newUser(kyc, kyc.acme, twin));
        await fillIn(kyc, token, {}, twin);
        tokens.push(token);
      }
      const outcomes = await Promise.all(tokens.map((token) => submit(kyc, token)));
      const states = await Promise.all(
        outcomes.map((outcome) => (outcome.kind === 'done' ? decided(kyc, outcome.frame.caseId) : outcome.kind)),
      );
      expect(states).toContain('IN_REVIEW');
      expect(['APPROVED', 'IN_REVIEW']).toEqual(expect.arrayContaining(states));
    }
  });
});

describe('a deletion and a submit at once', { timeout: 900_000 }, () => {
  it('leave what was submitted under the retained key, or nothing at all', async () => {
    for (let round = 0; round < rounds(6, 200); round += 1) {
      const user = await newUser(kyc, kyc.acme);
      const token = await newLink(kyc, user);
      await fillIn(kyc, token, {}, uniqueName(user));
      const erase = kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
      const [outcome, erased] = await Promise.all([submit(kyc, token), erase]);
      expect(erased.status).toBe(200);
      const { rows } = await kyc.sql.query(
        `SELECT (SELECT count(*)::int FROM user_keys WHERE user_id = $1) AS keys,
                count(s.*)::int AS submissions
           FROM kyc_cases AS c LEFT JOIN kyc_submissions AS s USING (merchant_id, case_id) WHERE c.user_id = $1`,
        [user.id],
      );
      const isKept = outcome.kind === 'done';
      expect(['done', 'unknown']).toContain(outcome.kind);
      expect(rows).toEqual([isKept ? { keys: 1, submissions: 1 } : { keys: 0, submissions: 0 }]);
    }
    // They wait for each other in one order: none has to be thrown out and tried again.
    const { rows } = await kyc.sql.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});

describe('a deletion and an upload at once', { timeout: 900_000 }, () => {
  it('leave no document and no form of a user who is gone', async () => {
    for (let round = 0; round < rounds(3, 100); round += 1) {
      const { user } = await submitted(kyc);
      const token = await newLink(kyc, user, { level: 'LEVEL_2' });
      const attach = change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'selfiePhoto', photo()));
      const erase = kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
      const [attached, erased] = await Promise.all([attach, erase]);
      expect(['attached', 'unknown']).toContain(attached.kind);
      expect(erased.status).toBe(200);
      const { rows } = await kyc.sql.query(
        `SELECT (SELECT count(*)::int FROM kyc_capabilities WHERE user_id = $1) AS capabilities,
                (SELECT count(*)::int FROM kyc_documents AS d JOIN kyc_cases AS c USING (merchant_id, case_id)
                  WHERE c.user_id = $1) AS documents`,
        [user.id],
      );
      expect(rows).toEqual([{ capabilities: 0, documents: 0 }]);
    }
  });
});
