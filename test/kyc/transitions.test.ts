/** One table of states. What it does not list can't happen: not through the verbs, not past them in the database. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPublicId, userId } from '../../src/ids.js';
import { type CaseState, caseStates, type KycCase } from '../../src/kyc/cases/case.js';
import { addCase, lockCase } from '../../src/kyc/cases/store.js';
import { transitionCase } from '../../src/kyc/cases/transition.js';
import { type CaseTransition, stateAfter, transitions } from '../../src/kyc/cases/transitions.js';
import { kycHistory } from '../harness/histories.js';
import { rounds } from '../harness/rounds.js';
import { type MadeUser, newUser } from '../harness/users.js';
import { change, eventTypes, useKycService } from './kyc-service.js';

const kyc = useKycService();
const by = { actor: { kind: 'system', name: 'test' } } as const;
const moves = [...new Set(transitions.map(({ move }) => move))];
const listed = new Set(transitions.map(({ from, to }) => `${from}>${to}`));

/** A walk to each state by listed moves. */
const ways: Readonly<Record<CaseState, readonly CaseTransition[]>> = {
  PENDING: [],
  SUBMITTED: ['submit'],
  IN_REVIEW: ['submit', 'refer'],
  APPROVED: ['submit', 'approve_automatically'],
  REJECTED: ['submit', 'refer', 'reject'],
  ACTION_REQUIRED: ['submit', 'refer', 'request'],
  EXPIRED: ['submit', 'approve_automatically', 'expire'],
  REVOKED: ['submit', 'approve_automatically', 'revoke'],
};

let user: MadeUser;
beforeAll(async () => {
  user = await newUser(kyc, kyc.acme);
});

/** Each in a zone of its own would soon be used up, so each gets a user. */
async function caseIn(state: CaseState): Promise<KycCase> {
  const someone = await newUser(kyc, kyc.acme);
  return change(kyc, async (tx) => {
    let one = await addCase(tx, {
      merchantId: kyc.acme.merchant,
      caseId: newPublicId('kyc'),
      userId: userId(someone.id),
      level: 'LEVEL_1',
      zone: 'EEA',
    });
    for (const move of ways[state]) one = one && (await transitionCase(tx, by, one, move, detailsOf(move)));
    if (!one) throw new Error('no case');
    return one;
  });
}

function detailsOf(move: CaseTransition) {
  return move === 'request' || move === 'identity_changed' ? { parts: ['person'] as const } : {};
}

function setState(one: KycCase, state: CaseState): Promise<unknown> {
  return kyc.sql.query(
    `UPDATE kyc_cases SET state = $2, version = version + 1, expires_at = 'infinity',
            requested_parts = CASE WHEN $2 = 'ACTION_REQUIRED' THEN '{person}'::text[] ELSE '{}' END
      WHERE case_id = $1`,
    [one.caseId, state],
  );
}

describe('the table', () => {
  it('reaches every state, and leads from a state by a move to one state only', () => {
    expect(new Set(transitions.map(({ to }) => to))).toEqual(new Set(caseStates));
    const keys = transitions.map(({ from, move }) => `${from} ${move}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is drawn in the decision as it is', () => {
    const text = readFileSync('docs/decisions/0016-kyc-cases.md', 'utf8');
    const drawn = [...text.matchAll(/^ {4}(\S+) --> (\w+): (\w+)$/gm)].map(([, from, to, move]) => ({
      move,
      from: from === '[*]' ? null : from,
      to,
    }));
    expect(drawn).toEqual(transitions);
  });
});

describe.each(caseStates)('from %s', (from) => {
  it('each move leads where the table says, and every other is refused', async () => {
    for (const move of moves) {
      const one = await caseIn(from);
      // Opening a held case opens its renewal, beside its state.
      const to = from === 'APPROVED' && move === 'open' ? from : stateAfter(from, move);
      const moved = change(kyc, (tx) => transitionCase(tx, by, one, move, detailsOf(move)));
      if (to) expect(await moved).toMatchObject({ state: to, version: one.version + 1 });
      else await expect(moved).rejects.toMatchObject({ code: 'kyc_case_not_decidable' });
    }
  });

  it('the database itself refuses every change that the table does not list', async () => {
    for (const to of caseStates) {
      if (to === from) continue;
      const changed = setState(await caseIn(from), to);
      if (listed.has(`${from}>${to}`)) await changed;
      else await expect(changed).rejects.toMatchObject({ code: '23001' });
    }
  });
});

describe('the database', () => {
  it('takes a new case only as PENDING', async () => {
    const insert = kyc.sql.query(
      `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, state, created_at, updated_at)
       VALUES ($1, $2, $3, 'LEVEL_2', 'EEA', 'SUBMITTED', now(), now())`,
      [kyc.acme.merchant, newPublicId('kyc'), user.id],
    );
    await expect(insert).rejects.toMatchObject({ code: '23001' });
  });

  it('gives a case to nobody else and lets none go', async () => {
    const one = await caseIn('PENDING');
    for (const change of [`user_id = ${user.id}`, `level = 'LEVEL_3'`, `zone = 'US'`, 'version = 7']) {
      const changed = kyc.sql.query(`UPDATE kyc_cases SET ${change} WHERE case_id = $1`, [one.caseId]);
      await expect(changed).rejects.toMatchObject({ code: '23001' });
    }
    await expect(kyc.sql.query('DELETE FROM kyc_cases')).rejects.toMatchObject({ code: '23001' });
    await expect(kyc.sql.query('DELETE FROM kyc_notes')).rejects.toMatchObject({ code: '23001' });
  });

  it('opens no rejection that was final', async () => {
    const one = await caseIn('IN_REVIEW');
    await change(kyc, (tx) => transitionCase(tx, by, one, 'reject', { reasons: ['COMPLIANCE'], isFinal: true }));
    await expect(setState(one, 'PENDING')).rejects.toMatchObject({ code: '23001' });
  });
});

/** The newest version belongs to the renewal when that changed, and to the case otherwise. */
function changeMade({ state, version, renewal }: KycCase): { to: string; event: string } {
  if (renewal?.version === version) return { to: renewal.state, event: 'kyc.renewal_updated' };
  return { to: state, event: `kyc.${state.toLowerCase()}` };
}

describe('any walk', { timeout: 900_000 }, () => {
  it('is told step by step: one history row and one event for each change, none for what was refused', async () => {
    const anyMoves = fc.array(fc.constantFrom(...moves), { minLength: 5, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(anyMoves, async (walk) => {
        const { caseId } = await caseIn('PENDING');
        const expected: { to: string; event: string }[] = [];
        for (const move of walk) {
          const done = await change(kyc, async (tx) => {
            const one = await lockCase(tx, kyc.acme.merchant, caseId);
            return one && transitionCase(tx, by, one, move, detailsOf(move));
          }).catch((error: { code: string }) => {
            expect(error.code).toBe('kyc_case_not_decidable');
          });
          if (done) expected.push(changeMade(done));
        }
        const { rows } = await kyc.sql.query(
          `SELECT to_state, version FROM ${kycHistory} AS entry WHERE case_id = $1 ORDER BY version`,
          [caseId],
        );
        expect(rows.map((row) => row.to_state)).toEqual(expected.map(({ to }) => to));
        expect(rows.map((row) => row.version)).toEqual(expected.map((_, index) => index + 2));
        expect(await eventTypes(kyc, caseId)).toEqual(expected.map(({ event }) => event));
      }),
      { numRuns: rounds(6, 200) },
    );
  });
});
