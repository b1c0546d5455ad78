/** Pages on which operators work: everything in sight, a decision in words, and the next one by itself. */
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows, newOperator, password } from '../harness/access.js';
import { newUser } from '../harness/users.js';
import { decide, rejection, submitted, useKycService } from '../kyc/kyc-service.js';
import { hiddenOf, type Shown, Visitor } from './pages.js';

const kyc = useKycService();
let ana: Visitor;
let ben: Visitor;
const mrz = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';

beforeAll(async () => {
  for (const login of ['ana', 'ben']) await newOperator(kyc.service.database, login, 'reviewer');
  [ana, ben] = [new Visitor(() => kyc.service.url), new Visitor(() => kyc.service.url)];
  await ana.signIn('ana');
  await ben.signIn('ben');
});

const pageOf = (caseId: string) => `/console/kyc/${caseId}`;
const textOf = ({ html }: Shown) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** Sends one of the decisions of a case as its page has it. */
async function decideOnPage(visitor: Visitor, caseId: string, as: string, fields: Record<string, string>) {
  const { html } = await visitor.open(pageOf(caseId));
  const path = `/console/do/decideKycCase?caseId=${caseId}&as=${as}`;
  return visitor.send(path, { ...hiddenOf(html, `decideKycCase?caseId=${caseId}&amp;as=${as}"`), ...fields });
}
const approve = (visitor: Visitor, caseId: string) =>
  decideOnPage(visitor, caseId, 'approve', { internalReason: 'Compared by eye.', goOn: 'next' });
const claimed = async (by: string) =>
  (await kyc.api.get('/operator/tasks?kind=kyc_review&claimed=anyone&limit=200', { token: kyc.viewer })).json
    .filter((task: { claim: { operator: string } }) => task.claim.operator === by)
    .map((task: { caseId: string }) => task.caseId);

describe('the page of a case', () => {
  it('shows the documents inline, what differs between form, document and merchant, and the checks in words', async () => {
    const answers = { documentMrz: mrz, address: '<b>Calle</b> 1' };
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { answers });
    const page = await ana.open(pageOf(caseId));
    const pictures = [...page.html.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src);
    expect(pictures).toHaveLength(2);
    const before = (await auditRows(kyc.sql, 'kyc.document_looked_at')).length;
    const picture = await ana.open(pictures[0] ?? '');
    expect([picture.headers.get('content-type'), picture.headers.get('content-disposition')?.split(';')[0]]).toEqual([
      'image/png',
      'inline',
    ]);
    expect((await auditRows(kyc.sql, 'kyc.document_looked_at')).length).toBe(before + 1);
    expect(page.html).toMatch(/<td class="other"><bdi>ANNA MARIA ERIKSSON<\/bdi>/);
    expect(page.html).not.toContain('<b>Calle');
    expect(textOf(page)).toContain('The machine-readable zone and the form differ:');
    expect(textOf(page)).toContain('The check digits of the machine-readable zone are right.');
    const { json } = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(json.decisions).toEqual(['approve', 'reject', 'request']);
    expect(json.parts).toEqual(['person', 'address', 'document', 'documentFront', 'documentBack', 'selfie']);
    expect(json.comparison).toContainEqual({
      field: 'dateOfBirth',
      declared: '1990-04-12',
      machineReadable: '··74-08-12',
      registered: null,
      differs: ['machineReadable'],
    });
  });

  it('shows an open hit with what its score is made of, and no form to approve', async () => {
    const listed = { firstName: 'Iris', lastName: 'Blockwell', dateOfBirth: '1970-01-31' };
    const profile = { firstName: 'Iris', lastName: 'Blockwell' };
    const { caseId } = await submitted(kyc, {}, { profile, answers: listed });
    const page = await ana.open(pageOf(caseId));
    expect(textOf(page)).toContain('BLOCKWELL, Iris Sanctia');
    expect(textOf(page)).toContain('a screening hit is open or confirmed: decide the hit first');
    expect([page.html.includes('as=approve"'), page.html.includes('as=reject"')]).toEqual([false, true]);
    const [hitId = ''] = /hit_[0-9A-Z]{26}/.exec(page.html) ?? [];
    const looked = await kyc.sql.query(
      `SELECT count(*)::int FROM changes WHERE action = 'screening.hit_looked_at' AND subject = $1`,
      [`hit:${hitId}`],
    );
    expect(looked.rows).toEqual([{ count: 1 }]);
  });
});

describe('after a decision', () => {
  it('the next case opens that is free, and belongs to the operator from then on', async () => {
    const cases: string[] = [];
    for (let made = 0; made < 3; made += 1) cases.push((await submitted(kyc, { level: 'LEVEL_2' })).caseId);
    const [first = '', second = '', third = ''] = cases;
    const waiting = async () =>
      (await kyc.api.get('/operator/tasks?kind=kyc_review&limit=200', { token: kyc.viewer })).json.map(
        (task: { caseId: string }) => task.caseId,
      );
    for (const other of await waiting())
      if (!cases.includes(other)) await decide(kyc, other, { ...rejection, internalReason: 'Not of this test.' });
    // Ben has taken the second one.
    expect((await ben.fill(`/console/do/claimTask?taskId=kyc_review.${second}`, {})).status).toBe(303);
    const { status, location } = await approve(ana, first);
    expect([status, location]).toEqual([
      303,
      expect.stringMatching(
        new RegExp(
          `^${pageOf(third)}\\?done=decideKycCase&as=approve&before=${encodeURIComponent(pageOf(first))}&proof=`,
        ),
      ),
    ]);
    expect(await claimed('ana')).toEqual([third]);
    const page = textOf(await ana.open(location ?? ''));
    expect(page).toContain('Done: Decide a KYC case: Approve.');
    expect(page).toContain('This is the next one.');
    const last = (await approve(ana, third)).location ?? '';
    expect(last).toMatch(/^\/console\?kind=kyc_review&done=decideKycCase/);
    expect(textOf(await ana.open(last))).toContain('No other one waits for you.');
    expect(await waiting()).toEqual([second]);
  });

  it('on a case that changed since it was read, nothing is decided and no other case opens', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const { html } = await ana.open(pageOf(caseId));
    const stale = hiddenOf(html, `decideKycCase?caseId=${caseId}&amp;as=reject"`);
    const request = { decision: 'request', parts: ['selfie'], publicReasons: ['blurry'], internalReason: 'Dark.' };
    expect((await decide(kyc, caseId, request)).status).toBe(200);
    const refused = await ana.send(`/console/do/decideKycCase?caseId=${caseId}&as=reject`, {
      ...stale,
      publicReason: 'mismatch',
      internalReason: 'Another face.',
      goOn: 'next',
      ownPassword: password,
    });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('Another face.');
    expect(refused.html).toContain('Decide a KYC case: Reject');
  });
});

describe('the page of a person', () => {
  it('shows who it is as text and takes a note, which stands there afterwards', async () => {
    const profile = { firstName: '<img src=x onerror=alert(1)>', lastName: 'عبد الرحمن' };
    const user = await newUser(kyc, kyc.acme, profile);
    const address = `/console/users/${user.id}?merchant=acme`;
    const page = await ana.open(address);
    expect(page.html).toContain('&lt;img src=x onerror=alert(1)>');
    const hidden = hiddenOf(page.html, 'writeUserNote');
    const path = `/console/do/writeUserNote?userId=${user.id}&merchant=acme&as=note`;
    const { status, location } = await ana.send(path, { ...hidden, note: 'Called twice.' });
    expect([status, location?.startsWith(`${address}&done=writeUserNote`)]).toEqual([303, true]);
    expect(textOf(await ana.open(location ?? ''))).toContain('Called twice.');
  });
});

describe('the tools of a sandbox', () => {
  it('move the clock of one merchant, and the log names the operator', async () => {
    const { html } = await ana.open('/console/sandbox?merchant=rival');
    const path = '/console/do/moveMerchantClock?merchant=rival&as=week';
    const { location } = await ana.send(path, hiddenOf(html, 'moveMerchantClock?merchant=rival&amp;as=week"'));
    expect(location).toMatch(/^\/console\/sandbox\?merchant=rival&done=moveMerchantClock&as=week&proof=/);
    const ahead = async ({ token }: { token: string }) =>
      Math.round((await kyc.api.get('/sandbox/clock', { token })).json.aheadSeconds / 86_400);
    expect([await ahead(kyc.rival), await ahead(kyc.acme)]).toEqual([7, 0]);
    const { rows } = await kyc.sql.query(`SELECT actor_kind FROM changes WHERE action = 'sandbox.clock_moved'`);
    expect(rows).toEqual([{ actor_kind: 'operator' }]);
  });
});

describe('what browsers fetch in advance', () => {
  it('leaves out every page whose reading is recorded', async () => {
    const path = '/console/assets/speculation-rules.json';
    expect((await ana.open('/console')).headers.get('speculation-rules')).toBe(`"${path}"`);
    const { headers, html } = await ana.open(path);
    expect(headers.get('content-type')).toBe('application/speculationrules+json');
    const left = JSON.parse(html).prefetch[0].where.and[1].not.href_matches;
    const recorded = ['/console/kyc/:caseId', '/console/screening/hits/:hitId', '/console/users/:userId'];
    expect(left).toEqual(expect.arrayContaining([...recorded, '/console/payouts/:attemptId', '/console/do/*']));
    expect(left).not.toContain('/console/orders/:id');
  });
});
