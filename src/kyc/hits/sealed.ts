/** Seals what a hit says about a user, and the notes of operators, under the user's retained key. */
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Explanation, Hit } from './hit.js';

/** The columns that the explanation belongs to: it does not open beside any others. */
type ExplainedHit = Pick<Hit, 'merchantId' | 'hitId' | 'userId' | 'list' | 'entryId' | 'entryHash' | 'score'>;
type NotedHit = Pick<Hit, 'merchantId' | 'hitId' | 'userId'>;

export function sealExplanation(key: Buffer, hit: ExplainedHit, explanation: Explanation): Buffer {
  const { entryName, matchedName, subjectName, reasons } = explanation;
  const text = JSON.stringify({ entryName, matchedName, subjectName, reasons });
  return seal(key, Buffer.from(text), explanationBinding(hit));
}

export function openExplanation(key: Buffer, hit: ExplainedHit, sealed: Buffer): Explanation {
  return JSON.parse(open(key, sealed, explanationBinding(hit)).toString()) as Explanation;
}

/** The note opens only beside the decision that it explains. */
export function sealNote(key: Buffer, hit: NotedHit, state: Hit['state'], note: string): Buffer {
  return seal(key, Buffer.from(note), noteBinding(hit, state));
}

export function openNote(key: Buffer, hit: NotedHit & Pick<Hit, 'state'>, sealed: Buffer): string {
  return open(key, sealed, noteBinding(hit, hit.state)).toString();
}

function explanationBinding({ merchantId, userId, hitId, list, entryId, entryHash, score }: ExplainedHit) {
  const owner = [merchantId, userId, hitId] as const;
  return bindingOf('screening_hits', 'sealed_explanation', ...owner, list, entryId, entryHash, score);
}

function noteBinding({ merchantId, userId, hitId }: NotedHit, state: Hit['state']): string {
  return bindingOf('screening_hits', 'sealed_note', merchantId, userId, hitId, state);
}
