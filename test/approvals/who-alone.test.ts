/**
 * Who alone can move money: nobody. Every command of operators is in one class, and each that needs two people is asked
 * for by one operator alone.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { approvalActions } from '../../src/approval.js';
import { lockBankAccount } from '../../src/bank/accounts/bank-account-store.js';
import { AnswerService } from '../../src/bank/answers/service.js';
import { byBank, moveBatch, recordNewBatch } from '../../src/bank/batches/changing.js';
import { payingAccountOf } from '../../src/bank/batches/message.js';
import { addBatch, lockBatch, type StoredBatch } from '../../src/bank/batches/store.js';
import { addIncomingFile } from '../../src/bank/transport/incoming-store.js';
import type { CommandRoute } from '../../src/http/route.js';
import { newMerchantPublicId } from '../../src/ids.js';
import { simulatedLicensee } from '../../src/licensee/licensee.js';
import {
  attemptOf,
  type CorrectionsService,
  failedPayout,
  happens,
  operate,
  paidByBank,
  submittedByBank,
  versionOf,
} from '../corrections/corrections.js';
import { oneInstance, operatorToken, type Running, startNode, stopNodesAfterAll } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { silentLog } from '../harness/silent-log.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { lupita, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { accountTerms, movement, record, usePayInAccounts } from '../payments/payments.js';
import { plainTerms } from '../rates/quoting.js';

/** Each command needs two people, or falls into one of these. Whoever adds a command decides. */
const oneIsEnough = {
  'only back to where it came from': ['refundOrder'],
  // The recipient of an order is the merchant's word, and these do not change it.
  'only on to where its order sends it': [
    ...['resumePayouts', 'resumeMerchant', 'decideKycCase', 'clearLedgerFault', 'settlePayoutReport'],
    ...['closeBankBatch', 'retryBankBatch'],
  ],
  'makes safer': [
    ...['suspendMerchant', 'endMerchantSecret', 'freezeOrder', 'referOrder', 'requestOrderInformation'],
    ...['confirmScreeningHit', 'refuseRate', 'createReviewRule', 'pausePayouts', 'rotateSigningKeys'],
    ...['freezeSuspense', 'withdrawSuspenseReturn', 'block'],
  ],
  'no money': [
    ...['approveRequest', 'refuseRequest', 'withdrawRequest', 'fetchApprovedAnswer', 'claimTask', 'releaseTask'],
    'searchPeople',
    ...['replayMonitoringRule', 'createMonitoringRule', 'dismissAlert', 'openCase', 'addToCase'],
    'recordFiling',
    'removeFromCase',
    'placeHold',
    'writeUserNote',
    ...['recordComplaint', 'holdComplaint', 'answerComplaint', 'remedyComplaint'],
    ...['saveView', 'deleteView'],
    ...['moveMerchantClock', 'playScenarioForMerchant', 'injectFaultForMerchant'],
    ...['logOut', 'changeOwnPassword', 'updateMerchant', 'collectRates', 'writeOrderNote', 'recordBankBalance'],
    ...['setBankBalanceMinimum', 'redeliverEventForMerchant', 'enableWebhook', 'settleClawbackLoss'],
    ...['settleImportFaults', 'dismissBankAnswer', 'settleBankFile', 'settleStatementFile'],
  ],
} as const;

stopNodesAfterAll();
const settings = { PAYOUT_RAILS: 'manual=bank_account/MXN', SCREENING_STRONG_SCORE: '80' };
const kyc = useKycService({ ...settings, FOUR_EYES: 'off' });
usePayInAccounts(kyc);
/** Prepares what is asked about, on a node where one person is enough. */
const running: CorrectionsService = Object.assign(kyc, { as: () => kyc.reviewer });
const { sql } = kyc;

let node: Running;
let tokens: Record<'admin' | 'reviewer', string>;
let made: Awaited<ReturnType<typeof prepare>>;

beforeAll(async () => {
  node = await startNode(running.url, { settings: { ...oneInstance, ...settings, FOUR_EYES: 'all' } });
  const [admin, reviewer] = [await operatorToken(node, 'the-admin'), await operatorToken(node, 'the-reviewer')];
  tokens = { admin, reviewer };
  const body = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
  await eventually(async () => (await kyc.api.post('/rates', { token: kyc.acme.token, body })).status === 200, {
    withinMs: 30_000,
    what: 'a first quote',
  });
  await openBankAccounts(kyc, 'bank:MXN:mexico', 'bank:USD:thief-usd');
  made = await prepare();
}, 120_000);

const commands = () =>
  node.service.routes.filter(
    (route): route is CommandRoute => route.kind === 'command' && route.access.token === 'operator',
  );
const note = 'A test.';
const line = (name: string) => ({ bankReference: name, bookedAt: '2026-11-16T09:41:00.000Z' });
const movementOf = (name: string) => ({ ...line(name), bank: 'mexico' });
const heldAttempt = async (id: string, verb: string, more: object = {}): Promise<Asked> => {
  const { attempt_id: attemptId, version } = await attemptOf(running, id);
  return { path: `payouts/${attemptId}/${verb}`, body: { version, ...more } };
};
const heldOrder = async (id: string, verb: string, more: object = {}): Promise<Asked> => ({
  path: `orders/${id}/${verb}`,
  body: { version: await versionOf(running, id), note, ...more },
});
const heldPayment = async (verb: string, more: object): Promise<Asked> => ({
  path: `payments/${made.part.paymentId}/corrections/${verb}`,
  body: { version: await versionOf(running, made.part.id), ...more },
});
const listed = { ...lupita, firstName: 'Iris', lastName: 'Blockwell' };
const thiefBank = {
  ...{
    holder: 'Ana Thief',
    bankName: 'Bank',
    country: 'US',
    number: '000123456789',
    uses: ['payin'],
    profile: 'plain',
  },
};
const thief = { name: 'Ana Thief', account: 'ES9121000418450200051332' };

async function inReview(): Promise<string> {
  const user = await sender(running);
  const order = await placed(running, user, { body: { beneficiary: listed } });
  done(await record(running, movement({ remittanceText: order.payIn.reference })));
  await reaches(running, order.id, 'IN_REVIEW');
  return order.id;
}

async function paidOut(): Promise<string> {
  const order = await submittedByBank(running);
  await happens(running, order, 'paid', { bank: 'mexico' });
  return order.id;
}

async function refundFailed(): Promise<string> {
  const order = await failedPayout(running);
  const refund = await heldOrder(order.id, 'refund', { reason: 'corridor' });
  done(await operate(running, refund.path, refund.body));
  await happens(running, order, 'submitted');
  await happens(running, order, 'failed', { reason: 'AC04' });
  return order.id;
}

/** Money without an order, whose payer’s account is not known. Returns the id of its record. */
async function suspended(): Promise<string> {
  const { id } = done(await record(running, movement({ remittanceText: 'rent', payer: { name: 'Ana Reyes' } })));
  return (await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [id])).rows[0].suspense_id;
}

/** A file that says nothing wrong, until somebody says that it does. */
async function importedFile(): Promise<string> {
  const csv = 'bankReference,amount,currency,bookedAt,payerName\nmade-1,5,USD,2026-11-15,Ana Reyes\n';
  return done(await operate(running, 'payments/import', { accountId: 'acme-usd', csv })).id;
}

async function strongHit(): Promise<string> {
  const profile = { firstName: 'Iris', lastName: 'Blockwell' };
  const { user } = await submitted(kyc, {}, { profile, answers: { ...profile, dateOfBirth: '1970-01-31' } });
  return (await kyc.api.get(`/operator/screening/hits?userId=${user.id}`, { token: kyc.viewer })).json[0].id;
}

/** What the operators ask about. Every request is withdrawn in the end, so that they can ask about it again. */
async function prepare() {
  const rule = { kind: 'velocity', parameters: { hours: 24, maxOrders: 100 } };
  const [review, frozen, ready, paid, failed, unrefunded, part, waiting, suspense, hit, added, ...more] =
    await Promise.all([
      ...([
        inReview(),
        inReview(),
        submittedByBank(running),
        paidOut(),
        failedPayout(running),
        refundFailed(),
      ] as const),
      ...([
        paidByBank(running, { amount: 40 }),
        placed(running, await sender(running)),
        suspended(),
        strongHit(),
      ] as const),
      running.api.post('/operator/rules', { token: running.admin, body: rule }),
      importedFile(),
      suspended(),
    ] as const);
  const [imported, frozenSuspense] = more;
  done(await operate(running, `orders/${frozen}/freeze`, { note }));
  done(await operate(running, `suspense/${frozenSuspense}/freeze`, { note }));
  return {
    imported,
    frozenSuspense,
    review,
    frozen,
    ready,
    paid,
    failed,
    unrefunded,
    part,
    waiting,
    suspense,
    hit,
    rule: done(added),
  };
}

interface Asked {
  readonly path: string;
  readonly body: unknown;
}

/** What one operator alone asks for, where two are needed. */
const asked: Record<string, () => Promise<Asked>> = {
  saveCorridor: async () => ({ path: 'corridors/EUR/PHP', body: { ...plainTerms, marginBasisPoints: 1 } }),
  saveCorridors: async () => ({
    path: 'corridors',
    body: [{ ...plainTerms, fiatIn: 'EUR', fiatOut: 'INR', version: 1, marginBasisPoints: 1 }],
  }),
  async acceptRate() {
    await sql.query(`INSERT INTO rate_quarantine (source, currency, base, rate, published_at, held_at)
                     VALUES ('ecb', 'USD', 'EUR', 9, now(), now())`);
    return { path: 'rates/ecb/USD/accept', body: { rate: '9', base: 'EUR' } };
  },
  async acceptCorridorRate() {
    await sql.query(`UPDATE corridor_rates SET held_numerator = 40, held_denominator = 1, held_source = 'snapshot',
                            held_published_at = now(), held_because = 'changed', held_at = now()
                      WHERE fiat_in = 'USD' AND fiat_out = 'INR'`);
    return { path: 'corridors/USD/INR/accept-rate', body: { rate: '40' } };
  },
  createOperator: async () => ({ path: 'operators', body: { login: 'carla', role: 'admin' } }),
  changeOperator: async () => ({ path: 'operators/the-reviewer', body: { role: 'admin' } }),
  resetOperatorPassword: async () => ({ path: 'operators/the-viewer/reset-password', body: undefined }),
  createMerchant: async () => ({ path: 'merchants', body: { clientId: 'evil', name: 'Evil' } }),
  rotateMerchantSecret: async () => ({ path: 'merchants/acme/rotate-secret', body: {} }),
  dismissScreeningHit: async () => ({ path: `screening/hits/${made.hit}/dismiss`, body: { note } }),
  bookTreasuryEntry: async () => ({
    path: 'ledger/entries',
    body: { kind: 'funding', reason: note, bank: 'shared-usd', currency: 'USD', amount: '1000.00', direction: 'out' },
  }),
  approveOrderReview: async () => heldOrder(made.review, 'approve'),
  async liftBlock() {
    const body = { kind: 'phone', value: '+52 55 1234 5678', reason: note };
    const { blockId } = done(await kyc.api.post('/operator/blocks', { token: kyc.admin, body }));
    return { path: `blocks/${blockId}/lift`, body: { note } };
  },
  async changeCase() {
    const { caseId } = done(await kyc.api.post('/operator/cases', { token: kyc.admin, body: { title: note } }));
    return { path: `cases/${caseId}`, body: { state: 'closed', note, version: 1 } };
  },
  async releaseHold() {
    const body = { merchant: 'acme', userId: (await sender(running)).id, reason: note };
    const { holdId } = done(await kyc.api.post('/operator/holds', { token: kyc.admin, body }));
    return { path: `holds/${holdId}/release`, body: { note } };
  },
  acceptExposure: async () => ({
    path: `users/${(await sender(running)).id}/exposure`,
    body: { merchant: 'acme', note },
  }),
  async decideUserRisk() {
    const { user } = await submitted(kyc);
    const path = `users/${user.id}/risk`;
    const ask = { token: kyc.reviewer };
    const { version } = done(await kyc.api.get(`/operator/${path}?merchant=acme`, ask));
    const raised = { merchant: 'acme', band: 'high', note, version };
    done(await kyc.api.post(`/operator/${path}`, { ...ask, body: raised }));
    return { path, body: { ...raised, band: 'low', version: version + 1 } };
  },
  releaseOrder: async () => ({ path: `orders/${made.frozen}/release`, body: { note } }),
  createBankAccount: async () => ({
    path: 'bank/accounts',
    body: { ...thiefBank, accountId: 'thief-eur', currency: 'EUR' },
  }),
  changeBankAccount: async () => ({ path: 'bank/accounts/acme-usd', body: { ...thiefBank, version: 1 } }),
  releaseBankBatch: async () => {
    const { batchId, version } = await closedBatch();
    return { path: `bank/batches/${batchId}/release`, body: { version } };
  },
  async applyBankAnswer() {
    const { batchId } = await closedBatch();
    const file = { digest: batchId, connection: '*', name: 'pain002.xml', state: 'READ', faults: [] } as const;
    const said = {
      digest: batchId,
      batchId,
      kind: 'rejected',
      payments: [{ reference: 'ORD1', reason: 'AC01' }],
    } as const;
    const { database } = kyc.service;
    await database.transaction((tx) => addIncomingFile(tx, { ...file, sealedContent: undefined }));
    const answers = new AnswerService({ database, log: silentLog, payments: undefined as never });
    await database.transaction((tx) => answers.propose(tx, said));
    const [answer] = await answers.list(database, ['WAITING'], 1);
    return { path: `bank/answers/${answer?.answerId}/apply`, body: undefined };
  },
  async recallPayout() {
    const closed = await closedBatch('thief-usd');
    const { batchId } = closed;
    const { attempt_id: attemptId } = await attemptOf(running, made.paid);
    await sql.query(
      `INSERT INTO bank_batch_payments (batch_id, attempt_id, owner_id, reference, direction, amount_minor)
       VALUES ($1, $2, 1, 'ORD1', 'payout', 100)`,
      [batchId, attemptId],
    );
    await kyc.service.database.transaction(async (tx) => {
      const before = (await lockBatch(tx, batchId)) ?? closed;
      const released = await moveBatch(tx, byBank, before, 'release');
      const account = await lockBankAccount(tx, 'thief-usd');
      if (!account) throw new Error('the account is missing');
      const checked = await moveBatch(tx, byBank, released, 'check', { paidFrom: payingAccountOf(account) });
      const left = { executionDay: '2026-11-16', file: { name: batchId, hash: 'none' } };
      await moveBatch(tx, byBank, checked, 'write', left);
    });
    return { path: `payouts/${attemptId}/recall`, body: { reason: 'DUPL' } };
  },
  createPayinAccount: async () => ({ path: 'payin-accounts', body: { ...accountTerms, accountId: 'thief-usd' } }),
  changePayinAccount: async () => ({
    path: 'payin-accounts/acme-usd',
    body: { ...withoutCurrency(accountTerms), holder: 'Ana Thief', version: 1 },
  }),
  recordPayment: async () => ({ path: 'payments', body: movement({ amount: 5000 }) }),
  uploadStatement: async () => ({ path: 'bank/accounts/acme-usd/statements', body: { file: btoa('<Document/>') } }),
  async compareBankLine() {
    const [twin, lineId] = ['0', '1'].map((digit) => `bnl_${digit.repeat(26)}`);
    await sql.query(
      `INSERT INTO bank_lines (line_id, bank, currency, sign, amount_minor, booked_on, identity, known_by, source, twin_id)
       VALUES ($1, 'acme-usd', 'USD', 'credit', 1, '2026-11-15', 'forged', '{}', 'camt.053', $2)`,
      [lineId, twin],
    );
    await sql.query(
      `INSERT INTO bank_line_details (line_id, number, amount_minor, state, reason)
       VALUES ($1, 1, 1, 'break', 'possible_duplicate')`,
      [lineId],
    );
    return { path: `bank/lines/${lineId}/compare`, body: { isSame: false, note } };
  },
  async splitBankLine() {
    const lineId = `bnl_${'2'.repeat(26)}`;
    await sql.query(
      `INSERT INTO bank_lines (line_id, bank, currency, sign, amount_minor, booked_on, identity, known_by, source)
       VALUES ($1, 'acme-usd', 'USD', 'credit', 1, '2026-11-15', 'split', '{}', 'camt.053')`,
      [lineId],
    );
    await sql.query(
      `INSERT INTO bank_line_details (line_id, number, amount_minor, state, reason) VALUES ($1, 1, 1, 'break', 'unknown')`,
      [lineId],
    );
    return { path: `bank/lines/${lineId}/split`, body: { number: 1, parts: [{ amount: '0.01' }], note } };
  },
  importPayments: async () => ({
    path: 'payments/import',
    body: {
      accountId: 'acme-usd',
      csv: 'bankReference,amount,currency,bookedAt,payerName\nfile-1,5,USD,2026-11-15,Ana Reyes\n',
    },
  }),
  retryOrderRefund: async () => heldOrder(made.unrefunded, 'retry-refund', { recipient: thief }),
  correctPayoutNotPaid: async () => heldAttempt(made.paid, 'not-paid', { note }),
  provePayoutPaid: async () => heldAttempt(made.failed.id, 'prove-paid', { ...movementOf('proved'), note }),
  recordPayoutPaidTwice: async () => heldAttempt(made.paid, 'paid-twice', { ...movementOf('twice'), note }),
  takePaymentOff: async () => heldPayment('take-off', { note }),
  recordClawback: async () => heldPayment('clawback', { ...line('clawed'), note }),
  voidPayment: async () => heldPayment('void', { note }),
  voidPaymentImport: async () => ({ path: `payments/imports/${made.imported}/corrections/void`, body: { note } }),
  async retryOrderPayout() {
    // One operator may have handed in the document by which it failed.
    await sql.query(
      `UPDATE payout_reports SET is_handed_in = true
        WHERE attempt_id = ANY (ARRAY(SELECT attempt_id FROM payout_attempts WHERE order_id = $1))`,
      [made.failed.id],
    );
    return heldOrder(made.failed.id, 'retry-payout');
  },
  receiveRailDocument: async () => {
    const reports = [{ reportId: 'forged', reference: 'ORD1', kind: 'paid' }];
    return { path: 'rails/sandbox/documents', body: { document: btoa(JSON.stringify(reports)) } };
  },
  recordPayoutPaid: async () => heldAttempt(made.ready.id, 'paid', movementOf('paid')),
  recordPayoutFailed: async () => heldAttempt(made.ready.id, 'failed', { ...line('failed'), reason: 'AC04' }),
  recordPayoutReturned: async () => heldAttempt(made.paid, 'returned', { ...movementOf('returned'), reason: 'AC04' }),
  async saveCountryPolicy() {
    const terms = { residence: 'allowed', nationality: 'allowed', payout: 'allowed', answers: [] };
    return { path: 'countries/KP', body: { ...terms, reason: note, version: 0 } };
  },
  saveLicensee: async () => ({ path: 'licensee', body: { version: 1, licensee: simulatedLicensee } }),
  async changeMonitoringRule() {
    const terms = { kind: 'geography', parameters: { days: 7, minCountries: 5 } };
    const ask = async (path: string, body: object) =>
      done(await kyc.api.post(`/operator/${path}`, { token: kyc.admin, body }));
    const { ruleId } = await ask('monitoring/rules', terms);
    const period = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    const { replayId } = await ask('rules/replay', { ...terms, ...period });
    const { parameters } = terms;
    const path = `/operator/rules/replays/${replayId}`;
    await eventually(async () => done(await kyc.api.get(path, { token: kyc.admin })).state === 'ready');
    return { path: `monitoring/rules/${ruleId}`, body: { parameters, replayId, isEnabled: true, version: 1 } };
  },
  async changeReviewRule() {
    const { ruleId, parameters, version } = made.rule;
    return { path: `rules/${ruleId}`, body: { parameters, version, isEnabled: false } };
  },
  matchSuspense: async () => ({
    path: `suspense/${made.suspense}/match`,
    body: { version: 1, note, orderId: made.waiting.id },
  }),
  returnSuspense: async () => ({
    path: `suspense/${made.suspense}/return`,
    body: { version: 1, note, recipient: thief },
  }),
  releaseSuspense: async () => ({ path: `suspense/${made.frozenSuspense}/release`, body: { version: 2, note } }),
  writeOffSuspense: async () => ({ path: `suspense/${made.suspense}/write-off`, body: { version: 1, note } }),
};

/** A batch without payments that waits for its release. */
function closedBatch(accountId = `thief-${made.part.id.slice(-9).toLowerCase()}`): Promise<StoredBatch> {
  const batchId = newMerchantPublicId('bat', 0);
  return kyc.service.database.transaction(async (tx) => {
    await addBatch(tx, { batchId, accountId, currency: 'USD', closesAt: new Date() });
    const added = await lockBatch(tx, batchId);
    if (!added) throw new Error('no batch');
    await recordNewBatch(tx, added);
    return moveBatch(tx, byBank, added, 'close');
  });
}

function withoutCurrency({ currency: _, ...terms }: typeof accountTerms): object {
  return terms;
}

/** Everything that says where money goes, how much there is, and who may say so. */
async function moneyAndPlaces(): Promise<unknown> {
  const { rows } = await sql.query(`SELECT
    (SELECT count(*) FROM ledger_journals) AS journals, (SELECT count(*) FROM payments) AS payments,
    (SELECT count(*) FROM payment_imports) AS imports, (SELECT count(*) FROM bank_files) AS files, (SELECT count(*) FROM merchants) AS merchants,
    ARRAY(SELECT order_id || state || version FROM orders ORDER BY 1) AS orders,
    ARRAY(SELECT attempt_id || state || version FROM payout_attempts ORDER BY 1) AS attempts,
    ARRAY(SELECT suspense_id || state || version FROM suspense_records ORDER BY 1) AS suspense,
    ARRAY(SELECT login || role || status || password_hash FROM operators ORDER BY 1) AS operators,
    ARRAY(SELECT secret::text FROM merchant_secrets AS secret ORDER BY 1) AS secrets,
    ARRAY(SELECT account::text FROM payin_accounts AS account ORDER BY 1) AS accounts,
    ARRAY(SELECT account::text FROM bank_accounts AS account ORDER BY 1) AS banks,
    ARRAY(SELECT batch_id || state FROM bank_batches WHERE state NOT IN ('WAITING', 'WRITTEN')) AS batches,
    (SELECT count(*) FROM bank_recalls) AS recalls,
    ARRAY(SELECT answer_id || state FROM bank_answers WHERE state <> 'WAITING') AS answers,
    ARRAY(SELECT corridor::text FROM corridors AS corridor ORDER BY 1) AS corridors,
    ARRAY(SELECT rule::text FROM review_rules AS rule ORDER BY 1) AS rules,
    ARRAY(SELECT hit_id || state FROM screening_hits ORDER BY 1) AS hits,
    ARRAY(SELECT block_id || state FROM blocks ORDER BY 1) AS blocks,
    ARRAY(SELECT held::text FROM rate_quarantine AS held ORDER BY 1) AS held`);
  return rows;
}

/** Declares four eyes, and needs them rarely or never. Other tests show when. */
const declaredOnly: readonly string[] = [
  // To instruct a bank is not yet an outcome, and the recipient is that of the order.
  'recordPayoutSubmitted',
];

/** Needs two people only for money of somebody who is on a list: test/orders/exits. */
const inSomeCases: readonly string[] = ['refuseOrderReview'];

describe('every command of operators', () => {
  it('is in one class, and the actions that can need two people are those that some command declares', () => {
    const ofTwo = commands().filter(({ fourEyes }) => fourEyes);
    const names = (routes: readonly CommandRoute[]) => routes.map(({ operationId }) => operationId).sort();
    const needTwo = [...Object.keys(asked), ...declaredOnly, ...inSomeCases];
    expect(names(ofTwo)).toEqual(needTwo.toSorted());
    expect(names(commands())).toEqual([...needTwo, ...Object.values(oneIsEnough).flat()].sort());
    expect([...new Set(ofTwo.map(({ fourEyes }) => fourEyes?.action))].sort()).toEqual([...approvalActions].sort());
  });
});

describe('one operator alone', () => {
  it.each(Object.keys(asked))('does nothing by %s but ask', async (operationId) => {
    const route = commands().find((command) => command.operationId === operationId);
    const role = route?.access.token === 'operator' && route.access.role === 'reviewer' ? 'reviewer' : 'admin';
    const { path, body } = (await asked[operationId]?.()) ?? { path: '', body: undefined };
    const before = await moneyAndPlaces();
    const answer = await node.api.call(route?.method ?? '', `/operator/${path}`, {
      ...{ token: tokens[role], key: `alone-${operationId}` },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status, answer.text).toBe(202);
    const decide = (verb: string) =>
      node.api.post(`/operator/approvals/${answer.json.approvalId}/${verb}`, { token: tokens[role] });
    expect((await decide('approve')).json.code).toBe('approval_own');
    expect(await moneyAndPlaces()).toEqual(before);
    expect((await decide('withdraw')).status).toBe(200);
  });
});
