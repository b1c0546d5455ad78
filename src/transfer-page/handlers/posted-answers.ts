/** Reads what a sender sent for what is asked: whatever is complete is an answer, the rest is a fault of its field. */
import type { CleanDocument, Inspection } from '../../documents/inspect.js';
import type { FormFields, FormFile } from '../../http/body/form.js';
import { type RequirementCode, requirementCodes } from '../../orders/order/requirement.js';
import { type AnswerFault, answerField, documentField, type RefusedAnswers } from '../pages/asking.js';
import type { SenderActs, SentAnswer } from '../sender-acts.js';
import type { OpenTransfer } from '../service.js';

export interface ReceivedDocument {
  readonly code: RequirementCode;
  readonly inspection: Inspection;
}

type Requirements = OpenTransfer['view']['requirements'];

const longestAnswer = 2_000;
/** Operators read it, in the language of the log. */
const rightAsTheyAre = 'The details are right as they are.';

/** Undefined, without reading it, for a file that is not asked for. */
export async function receiveDocument(
  acts: Pick<SenderActs, 'inspect'>,
  transfer: OpenTransfer,
  file: FormFile,
): Promise<ReceivedDocument | undefined> {
  const code = requirementCodes.find((known) => documentField(known) === file.name);
  if (!code || !transfer.view.requirements.some((asked) => asked.code === code)) return undefined;
  const inspection = await acts.inspect(transfer, file.bytes);
  // What browsers send for a field in which no file was chosen.
  if (!inspection.ok && inspection.fault === 'empty') return undefined;
  return { code, inspection };
}

export function answersOf(
  requirements: Requirements,
  fields: FormFields,
  files: readonly (ReceivedDocument | undefined)[],
): { readonly answers: SentAnswer[]; readonly refused: RefusedAnswers } {
  const answers: SentAnswer[] = [];
  const faults: Partial<Record<RequirementCode, AnswerFault>> = {};
  const entered: Partial<Record<RequirementCode, string>> = {};
  for (const { code, needs } of requirements) {
    if (needs === 'choice') continue;
    const text = (fields.get(answerField(code)) ?? '').trim();
    const sent = files.filter((file) => file?.code === code);
    const documents = sent.flatMap((file): CleanDocument[] => (file?.inspection.ok ? [file.inspection.document] : []));
    const fault = faultOf(needs, text, { isRefused: documents.length < sent.length, has: documents.length > 0 });
    if (fault) {
      faults[code] = fault;
      entered[code] = text;
    } else if (needs === 'document') answers.push({ code, documents });
    else answers.push({ code, answer: needs === 'beneficiary' ? rightAsTheyAre : text, documents });
  }
  return { answers, refused: { faults, entered } };
}

function faultOf(
  needs: Requirements[number]['needs'],
  text: string,
  { isRefused, has }: { readonly isRefused: boolean; readonly has: boolean },
): AnswerFault | undefined {
  if (isRefused) return 'documentRefused';
  if (needs === 'document') return has ? undefined : 'documentRequired';
  if (text === '') return 'required';
  return text.length > longestAnswer ? 'tooLong' : undefined;
}
