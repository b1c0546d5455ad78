/**
 * Seals answers and submissions of format 1 again in format 2, and adds the seals of documents and answers. This is the
 * only code that opens format 1 of answers and submissions. The bytes of documents stay unchanged.
 */
import type { MerchantId, UserId } from '../ids.js';
import { BrokenSeal, open } from '../keys/sealing.js';
import type { Transaction } from '../postgres/statement.js';
import * as store from './case-upgrade-store.js';
import { listSealedAnswers } from './form/store.js';
import type { Answers } from './requirements.js';
import { type CaseRef, sealAnswers, sealDocument, sealStep, sealSubmission } from './sealed.js';

/** Returns the user's retained key, which is already sealed in the new format. The users room provides it. */
export type RetainedKeyOf = (
  tx: Transaction,
  merchantId: MerchantId,
  userId: UserId,
) => Promise<Buffer | undefined>;

const casesAtOnce = 20;

/**
 * Upgrades cases of one merchant. Returns how many, 0 when nothing is left, and how many values did not open and stay
 * unchanged.
 */
export async function upgradeCasesBatch(
  tx: Transaction,
  retainedKeyOf: RetainedKeyOf,
): Promise<{ readonly done: number; readonly unreadable: number }> {
  const merchant = await store.findMerchantToUpgrade(tx);
  const cases = merchant ? await store.lockFirstFormatCases(tx, merchant, casesAtOnce) : [];
  let unreadable = 0;
  for (const kycCase of cases) {
    const key = await retainedKeyOf(tx, kycCase.merchantId, kycCase.userId).catch((error: unknown) => {
      if (!(error instanceof BrokenSeal)) throw error;
      unreadable += 1;
    });
    // Without its key nothing of the case can be read, before or after.
    if (key) unreadable += await upgradeCase(tx, kycCase, key);
    else await store.finishUpgradedCase(tx, kycCase, null);
  }
  return { done: cases.length, unreadable };
}

async function upgradeCase(tx: Transaction, kycCase: CaseRef, key: Buffer): Promise<number> {
  const { merchantId, caseId } = kycCase;
  let unreadable = 0;
  const { steps } = await listSealedAnswers(tx, kycCase);
  const upgraded = [];
  for (const step of steps) {
    const firstPlace = `kyc_answers|sealed_answers|${merchantId}|${caseId}|${step.step}`;
    const answers = openFirstFormat(key, step.sealedAnswers, firstPlace);
    if (!answers) unreadable += 1;
    const fresh = answers ? { ...step, sealedAnswers: sealStep(key, kycCase, step, answers) } : step;
    upgraded.push(fresh);
    await store.saveUpgradedStep(tx, kycCase, fresh);
  }
  for (const submission of await store.listSubmissionsOf(tx, kycCase)) {
    const { version, sealedAnswers } = submission;
    const firstPlace = `kyc_submissions|sealed_answers|${merchantId}|${caseId}|${version}`;
    const answers = openFirstFormat(key, sealedAnswers, firstPlace);
    if (!answers) unreadable += 1;
    else {
      const fresh = sealSubmission(key, kycCase, submission, answers);
      await store.saveUpgradedSubmission(tx, kycCase, version, fresh);
    }
  }
  for (const document of await store.listDocumentsOf(tx, kycCase)) {
    await store.saveDocumentSeal(tx, kycCase, document.documentId, sealDocument(key, kycCase, document));
  }
  await store.finishUpgradedCase(tx, kycCase, steps.length > 0 ? sealAnswers(key, kycCase, upgraded) : null);
  return unreadable;
}

function openFirstFormat(key: Buffer, sealed: Buffer, binding: string): Answers | undefined {
  try {
    return JSON.parse(open(key, sealed, binding).toString()) as Answers;
  } catch (error) {
    if (!(error instanceof BrokenSeal)) throw error;
    return undefined;
  }
}
