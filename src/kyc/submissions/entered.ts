/** Seals answers when they are saved; checks and opens them when they are read. */
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { type KycCase, progressOf } from '../cases/case.js';
import type { Answers, StepId } from '../cases/requirements.js';
import { checkDocument } from '../documents/sealed.js';
import { checkAnswers, openStep, sealAnswers, sealStep } from './sealed.js';
import type { Entered } from './state.js';
import { listAttachments, listSealedAnswers, saveSealedAnswers } from './store.js';

/** Throws when a stored answer or document is not the newest one. */
export async function readEntered(database: Queryable, kycCase: KycCase, key: Buffer): Promise<Entered> {
  const sealed = await listSealedAnswers(database, kycCase);
  checkAnswers(key, kycCase, sealed);
  const attachments = await listAttachments(database, kycCase);
  for (const attachment of attachments) checkDocument(key, kycCase, attachment);
  return {
    answers: new Map(
      sealed.steps.map((step) => [step.step, { caseVersion: step.caseVersion, answers: openStep(key, kycCase, step) }]),
    ),
    documents: new Map(attachments.map((attachment) => [attachment.question, attachment])),
  };
}

/**
 * The caller holds the lock of the case. Throws when a stored answer is not the newest one: the new seal must not cover
 * it.
 */
export async function saveAnswers(
  tx: Transaction,
  kycCase: KycCase,
  key: Buffer,
  entered: { readonly step: StepId; readonly answers: Answers },
): Promise<void> {
  const before = await listSealedAnswers(tx, kycCase);
  checkAnswers(key, kycCase, before);
  const place = { step: entered.step, caseVersion: progressOf(kycCase).version };
  const saved = { ...place, sealedAnswers: sealStep(key, kycCase, place, entered.answers) };
  const steps = [...before.steps.filter(({ step }) => step !== entered.step), saved];
  await saveSealedAnswers(tx, kycCase, saved, sealAnswers(key, kycCase, steps));
}

/** What was entered since the last request. */
export function enteredSince(kycCase: KycCase, { answers, documents }: Entered): Entered {
  const { version } = progressOf(kycCase);
  return { answers: new Map([...answers].filter(([, { caseVersion }]) => caseVersion === version)), documents };
}
