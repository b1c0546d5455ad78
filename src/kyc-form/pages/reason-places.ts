/** Decides on which page, and beside which question, each reason of a request is shown. */
import type { PublicReason } from '../../kyc/cases/case.js';
import type { Question, QuestionId, Step, StepId } from '../../kyc/cases/requirements.js';

export interface PlacedReason {
  readonly reason: PublicReason;
  readonly step: StepId;
  /** Undefined when the reason concerns the whole page. */
  readonly question: QuestionId | undefined;
}

type AskedStep = Pick<Step, 'id' | 'questions'>;

const documents: readonly QuestionId[] = ['documentFront', 'documentBack', 'proofOfAddressFile'];
const photos: readonly QuestionId[] = [...documents, 'selfiePhoto'];
const kindsOfDocument: readonly QuestionId[] = ['documentType', 'proofOfAddressType', ...documents];

/** The questions that a reason can concern, the likeliest first. A reason that is not here can concern any page. */
const concerns: Readonly<Partial<Record<PublicReason, readonly QuestionId[]>>> = {
  blurry: photos,
  cropped: photos,
  expired_document: ['documentExpiresOn', 'proofOfAddressIssuedOn', ...documents],
  wrong_document: kindsOfDocument,
  unsupported_document: kindsOfDocument,
  underage: ['dateOfBirth'],
};

/** Every reason has at least one place, as long as anything is asked. */
export function placeReasons(steps: readonly AskedStep[], reasons: readonly PublicReason[]): readonly PlacedReason[] {
  const beside = reasons.flatMap((reason) => besideQuestions(steps, reason));
  const general = reasons.filter((reason) => !beside.some((placed) => placed.reason === reason));
  const onPages = general.flatMap((reason) =>
    pagesFor(steps, reason, beside).map(({ id }) => ({ reason, step: id, question: undefined })),
  );
  return [...onPages, ...beside];
}

/** Photos are judged one by one. Of everything else the likeliest question of a page stands for the others. */
function besideQuestions(steps: readonly AskedStep[], reason: PublicReason): PlacedReason[] {
  const possible = concerns[reason] ?? [];
  return steps.flatMap(({ id: step, questions }) => {
    const found = possible.filter((question) => questions.some(({ id }) => id === question));
    const chosen = possible === photos ? found : found.slice(0, 1);
    return chosen.map((question) => ({ reason, step, question }));
  });
}

/** What does not match was typed. Any other general reason is for the pages that nothing else explains. */
function pagesFor(
  steps: readonly AskedStep[],
  reason: PublicReason,
  beside: readonly PlacedReason[],
): readonly AskedStep[] {
  const preferred =
    reason === 'mismatch'
      ? steps.filter(({ questions }) => questions.some(isTyped))
      : steps.filter(({ id }) => !beside.some(({ step }) => step === id));
  return preferred.length > 0 ? preferred : steps;
}

function isTyped({ kind }: Question): boolean {
  return kind !== 'document' && kind !== 'choice';
}
