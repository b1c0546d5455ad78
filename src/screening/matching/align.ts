/** Pairs the parts of a subject's name with the parts of a listed name, best resemblance first. */
import type { Similarity } from '../names/similarity.js';
import type { ListedName } from '../search-index/list-index.js';
import type { Query } from './query.js';

export interface AlignedPair {
  /** Bits of the parts on either side: one part, or two that the other side writes as one. */
  readonly subjectMask: number;
  readonly listedMask: number;
  readonly similarity: Similarity;
}

export interface Alignment {
  readonly pairs: readonly AlignedPair[];
  /** The shares of both names that were found in the other, from 0 to 1. */
  readonly subjectShare: number;
  readonly listedShare: number;
  /** The weight of what was found: two rare words have more than two common ones. */
  readonly foundWeight: number;
}

/** What an initial is worth as a match for a word that begins with it. */
export const initialSimilarity: Similarity = { value: 0.8, code: 'initial' };
const sameInitial: Similarity = { value: 1, code: 'exact_part' };

export function alignName(query: Query, name: ListedName): Alignment {
  const options = [...wordPairs(query, name), ...joinedPairs(query, name)];
  options.sort((left, right) => right.similarity.value - left.similarity.value);
  return measure(query, name, takeDisjoint([...options, ...initialPairs(query, name)]));
}

function wordPairs({ parts }: Query, { parts: listed }: ListedName): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  for (const [subject, { similar }] of parts.entries()) {
    if (similar.size === 0) continue;
    for (const [index, word] of listed.entries()) {
      const similarity = similar.get(word);
      if (similarity) pairs.push({ subjectMask: 1 << subject, listedMask: 1 << index, similarity });
    }
  }
  return pairs;
}

/** Words that one side writes as one and the other as two. */
function joinedPairs(query: Query, name: ListedName): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  const add = (subjectMask: number, listedMask: number, found: Similarity | undefined) => {
    // A joined word that differs in more than its spelling would be a guess on top of a guess.
    if (!found || found.value < 0.84) return;
    const isOneToOne = (subjectMask & (subjectMask - 1)) === 0 && (listedMask & (listedMask - 1)) === 0;
    const code = isOneToOne ? found.code : 'joined_parts';
    pairs.push({ subjectMask, listedMask, similarity: { value: found.value * 0.98, code } });
  };
  for (const { similar, mask } of query.joined) {
    for (const [index, word] of name.parts.entries()) add(mask, 1 << index, similar.get(word));
  }
  for (const { word, mask } of name.joined) {
    for (const [subject, { similar }] of query.parts.entries()) add(1 << subject, mask, similar.get(word));
    for (const { similar, mask: subjectMask } of query.joined) add(subjectMask, mask, similar.get(word));
  }
  return pairs;
}

/** An initial on one side and a word on the other. They are taken last, from what is left. */
function initialPairs({ parts }: Query, { parts: listed }: ListedName): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  for (const [index, word] of listed.entries()) {
    const isListedInitial = word.text.length === 1;
    for (const [subject, { text }] of parts.entries()) {
      const isInitial = text.length === 1;
      if (text[0] !== word.text[0] || !(isListedInitial || isInitial)) continue;
      const similarity = isListedInitial && isInitial ? sameInitial : initialSimilarity;
      pairs.push({ subjectMask: 1 << subject, listedMask: 1 << index, similarity });
    }
  }
  return pairs.sort((left, right) => right.similarity.value - left.similarity.value);
}

function takeDisjoint(options: readonly AlignedPair[]): AlignedPair[] {
  let [subjectTaken, listedTaken] = [0, 0];
  return options.filter(({ subjectMask, listedMask }) => {
    if ((subjectMask & subjectTaken) !== 0 || (listedMask & listedTaken) !== 0) return false;
    subjectTaken |= subjectMask;
    listedTaken |= listedMask;
    return true;
  });
}

function measure(query: Query, name: ListedName, pairs: readonly AlignedPair[]): Alignment {
  let [subjectFound, listedFound, foundWeight] = [0, 0, 0];
  for (const { subjectMask, listedMask, similarity } of pairs) {
    const subjectWeight = weightOf(query.parts, subjectMask);
    const listedWeight = weightOf(name.parts, listedMask);
    subjectFound += subjectWeight * similarity.value;
    listedFound += listedWeight * similarity.value;
    foundWeight += Math.min(subjectWeight, listedWeight) * similarity.value;
  }
  return {
    pairs,
    subjectShare: subjectFound / query.weight,
    listedShare: listedFound / name.weight,
    foundWeight,
  };
}

function weightOf(parts: readonly { readonly weight: number }[], mask: number): number {
  return parts.reduce((sum, { weight }, index) => (mask & (1 << index) ? sum + weight : sum), 0);
}
