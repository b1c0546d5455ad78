/** Links carry their own right: what each allows, how long, and who has none (K1 of the list of guarantees). */

import { describe, expect, it } from 'vitest';
import { formTokenSweep } from '../../src/kyc/submissions/form-token-store.js';
import type { FormEnded, FormView } from '../../src/kyc/submissions/view.js';
import { simulatedLicensee } from '../../src/licensee/licensee.js';
import { sweepByMerchant } from '../../src/worker/by-merchant.js';
import { rounds } from '../harness/rounds.js';
import { newUser } from '../harness/users.js';
import {
  caseOf,
  change,
  consent,
  decide,
  eventTypes,
  fillIn,
  newLink,
  submit,
  submitted,
  useKycService,
} from './kyc-service.js';
import { photo } from './people.js';

const kyc = useKycService();
const look = (token: string) => kyc.forms.open(kyc.service.database, token);
const ageLinks = (caseId: string, by: string) =>
  kyc.sql.query(
    `UPDATE kyc_capabilities SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval,
            ends_at = ends_at - $2::interval WHERE case_id = $1`,
    [caseId, by],
  );

/** What every verb answers to a token. */
async function everyVerb(token: string): Promise<string[]> {
  const { forms } = kyc;
  const outcomes: (FormView | FormEnded | { kind: string })[] = [
    await look(token),
    await change(kyc, (tx) => forms.saveStep(tx, token, 'person', { firstName: 'Ana' })),
    await change(kyc, (tx) => forms.attachDocument(tx, token, 'selfiePhoto', photo())),
    await change(kyc, (tx) => forms.removeDocument(tx, token, 'selfiePhoto')),
    await change(kyc, (tx) => forms.extend(tx, token)),
    await submit(kyc, token),
  ];
  return outcomes.map(({ kind }) => kind);
}

async function openCase(level: 'LEVEL_1' | 'LEVEL_2' = 'LEVEL_1') {
  const user = await newUser(kyc, kyc.acme);
  const token = await newLink(kyc, user, { level });
  const view = await look(token);
  if (view.kind !== 'open') throw new Error(view.kind);
  return { user, token, caseId: view.caseId };
}

describe('a token to write', { timeout: 900_000 }, () => {
  it('is kept as a hash only', async () => {
    const { token } = await openCase();
    const { rows } = await kyc.sql.query('SELECT kyc_capabilities::text AS text FROM kyc_capabilities');
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
    expect(kyc.logText()).not.toContain(token);
  });

  it('is not used up by looking, however often', async () => {
    const { token } = await openCase();
    await fillIn(kyc, token);
    for (let times = 0; times < 10; times += 1) expect((await look(token)).kind).toBe('open');
    expect((await submit(kyc, token)).kind).toBe('done');
  });

  it('succeeds once of 50 submits at once; the others are told, and there is one event of each change', async () => {
    for (let round = 0; round < rounds(2, 20); round += 1) {
      const { token, user, caseId } = await openCase();
      await fillIn(kyc, token, {}, { firstName: `Ana Fifty${round}`, lastName: `Reyes Of${user.id}` });
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => submit(kyc, token)));
      const kinds = outcomes.map(({ kind }) => kind).sort();
      expect(kinds).toEqual(['done', ...Array(49).fill('submitted')]);
      expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
      const { rows } = await kyc.sql.query('SELECT version FROM kyc_submissions WHERE case_id = $1', [caseId]);
      expect(rows).toEqual([{ version: 2 }]);
    }
  });

  it('submits only once when a case has two links, and both are used up', async () => {
    const { user, token } = await openCase();
    const another = await newLink(kyc, user);
    await fillIn(kyc, token);
    expect((await submit(kyc, another)).kind).toBe('done');
    expect(await everyVerb(token)).toEqual(Array(6).fill('submitted'));
    expect(await everyVerb(another)).toEqual(Array(6).fill('submitted'));
  });

  it('ends after an hour without use, and is remembered for a week as one that has ended', async () => {
    const { token, caseId } = await openCase();
    await ageLinks(caseId, '59 minutes');
    expect((await look(token)).kind).toBe('open');
    await ageLinks(caseId, '1 minute 1 second');
    expect(await everyVerb(token)).toEqual(Array(6).fill('expired'));
    const sweep = () => sweepByMerchant(kyc.database, formTokenSweep(1000), AbortSignal.timeout(60_000));
    await sweep();
    expect((await look(token)).kind).toBe('expired');
    await ageLinks(caseId, '8 days');
    await sweep();
    expect(await look(token)).toEqual({ kind: 'unknown' });
  });

  it('lives on while the person works, but not over a day', async () => {
    const { token, caseId } = await openCase();
    const extend = () => change(kyc, (tx) => kyc.forms.extend(tx, token));
    for (let hours = 0; hours < 23; hours += 1) {
      await ageLinks(caseId, '59 minutes');
      const extended = await extend();
      expect(extended.kind).toBe('extended');
    }
    await ageLinks(caseId, '59 minutes');
    const last = await extend();
    if (last.kind !== 'extended') throw new Error(last.kind);
    expect(last.expiresAt.getTime() - Date.now()).toBeLessThan(25 * 60_000);
    await ageLinks(caseId, '25 minutes');
    expect(await everyVerb(token)).toEqual(Array(6).fill('expired'));
  });

  it('goes on for another hour with every step that is saved and every file', async () => {
    const { token, caseId } = await openCase('LEVEL_2');
    const minutesLeft = async () => {
      const view = await look(token);
      return view.kind === 'open' ? Math.round((view.expiresAt.getTime() - Date.now()) / 60_000) : view.kind;
    };
    await ageLinks(caseId, '50 minutes');
    expect(await minutesLeft()).toBe(10);
    await change(kyc, (tx) => kyc.forms.saveStep(tx, token, 'person', {}));
    expect(await minutesLeft()).toBe(60);
    await ageLinks(caseId, '50 minutes');
    await change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'selfiePhoto', photo()));
    expect(await minutesLeft()).toBe(60);
  });

  it('opens the case that it was made for and no other user’s', async () => {
    const [mine, theirs] = [await openCase(), await openCase()];
    await fillIn(kyc, mine.token, {}, { firstName: 'Onlymine' });
    const view = await look(theirs.token);
    expect(view).toMatchObject({ kind: 'open', caseId: theirs.caseId });
    expect(JSON.stringify(view)).not.toContain('Onlymine');
  });

  it('dies with the user at once', async () => {
    const { token, user } = await openCase();
    await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
    expect(await everyVerb(token)).toEqual(Array(6).fill('unknown'));
  });

  it('opens nothing while the merchant is suspended', async () => {
    const { token } = await openCase();
    await kyc.sql.query(`UPDATE merchants SET status = 'suspended' WHERE client_id = 'acme'`);
    expect((await look(token)).kind).toBe('unknown');
    await kyc.sql.query(`UPDATE merchants SET status = 'active' WHERE client_id = 'acme'`);
    expect((await look(token)).kind).toBe('open');
  });

  it.each(['', 'x', 'x'.repeat(43), `${'x'.repeat(42)}\u0000`, '../../etc/passwd', 'é'.repeat(43)])(
    'is not %j',
    async (token) => {
      expect(await everyVerb(token)).toEqual(Array(6).fill('unknown'));
    },
  );

  it('does not come back to life when the case does: that takes a fresh link', async () => {
    const { user, caseId, token } = await submitted(kyc, { level: 'LEVEL_2' });
    const request = {
      decision: 'request',
      parts: ['selfie'],
      publicReasons: ['blurry'],
      internalReason: 'Dark.',
    };
    expect((await decide(kyc, caseId, request)).status).toBe(200);
    expect(await everyVerb(token)).toEqual(Array(6).fill('submitted'));
    expect((await look(await newLink(kyc, user, { level: 'LEVEL_2' }))).kind).toBe('open');
  });
});

describe('a token to see the status', () => {
  it('shows how the case stands, and nothing personal', async () => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { lastName: 'Marker' } });
    const view = await kyc.forms.status(kyc.service.database, statusToken);
    expect(view).toEqual({
      kind: 'status',
      caseId,
      level: 'LEVEL_2',
      zone: 'EEA',
      state: 'IN_REVIEW',
      merchant: { name: 'The merchant acme', branding: {}, allowedOrigins: [], licensee: simulatedLicensee },
      locale: 'en',
      redirectUrl: undefined,
      publicReasons: [],
      updatedAt: new Date((await caseOf(kyc, caseId)).updatedAt),
      expiresAt: undefined,
      isFinal: false,
    });
  });

  it('opens no form, and a token to write shows no status', async () => {
    const { statusToken, token } = await submitted(kyc);
    expect(await everyVerb(statusToken)).toEqual(Array(6).fill('unknown'));
    expect(await kyc.forms.status(kyc.service.database, token)).toBeUndefined();
  });

  it('ends after 90 days, and with the user', async () => {
    const one = await submitted(kyc);
    const status = (token: string) => kyc.forms.status(kyc.service.database, token);
    await ageLinks(one.caseId, '89 days');
    expect(await status(one.statusToken)).toBeDefined();
    await ageLinks(one.caseId, '1 day');
    expect(await status(one.statusToken)).toBeUndefined();
    const other = await submitted(kyc);
    await kyc.api.call('DELETE', `/user?userId=${other.user.id}`, { token: kyc.acme.token });
    expect(await status(other.statusToken)).toBeUndefined();
  });
});

describe('the consent', () => {
  it('is kept with its version and language', async () => {
    const { caseId } = await submitted(kyc);
    const { json } = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(json.consent).toEqual({
      version: consent.consentVersion,
      locale: consent.locale,
      givenAt: expect.any(String),
    });
  });
});
