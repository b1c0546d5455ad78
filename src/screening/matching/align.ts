/** Pairs the parts of a subject's name with the parts of a listed name, best resemblance first. */
import type { Similarity } from '../names/similarity.js';
import { groupOf, type IndexData } from '../search-index/index-data.js';
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
const initialSimilarity: Similarity = { value: 0.8, code: 'initial' };
const sameInitial: Similarity = { value: 1, code: 'exact_part' };

export function alignName(query: Query, data: IndexData, name: number): Alignment {
  const listed = groupOf(data.partsOfName, name);
  const options = [...wordPairs(query, listed), ...joinedPairs(query, data, listed, name)];
  const initials = initialPairs(query, data, listed);
  options.sort((left, right) => right.similarity.value - left.similarity.value);
  const pairs = takeDisjoint([...options, ...initials]);
  return measure(query, data, listed, pairs);
}

function wordPairs({ parts }: Query, listed: Uint32Array): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  for (const [subject, { similar }] of parts.entries()) {
    if (similar.words.length === 0) continue;
    for (let index = 0; index < listed.length; index += 1) {
      const similarity = similar.get(listed[index] ?? 0);
      if (similarity) pairs.push({ subjectMask: 1 << subject, listedMask: 1 << index, similarity });
    }
  }
  return pairs;
}

/** Words that one side writes as one and the other as two. */
function joinedPairs(query: Query, data: IndexData, listed: Uint32Array, name: number): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  const add = (subjectMask: number, listedMask: number, found: Similarity | undefined) => {
    // A joined word that differs in more than its spelling would be a guess on top of a guess.
    if (!found || found.value < 0.84) return;
    const isOneToOne = (subjectMask & (subjectMask - 1)) === 0 && (listedMask & (listedMask - 1)) === 0;
    const code = isOneToOne ? found.code : 'joined_parts';
    pairs.push({ subjectMask, listedMask, similarity: { value: found.value * 0.98, code } });
  };
  for (const { similar, mask } of query.joined) {
    for (let index = 0; index < listed.length; index += 1) add(mask, 1 << index, similar.get(listed[index] ?? 0));
  }
  const joined = groupOf(data.joinedOfName, name);
  for (let index = 0; index < joined.length; index += 2) {
    const [word = 0, mask = 0] = [joined[index], joined[index + 1]];
    for (const [subject, { similar }] of query.parts.entries()) add(1 << subject, mask, similar.get(word));
    for (const { similar, mask: subjectMask } of query.joined) add(subjectMask, mask, similar.get(word));
  }
  return pairs;
}

/** An initial on one side and a word on the other. They are taken last, from what is left. */
function initialPairs({ parts }: Query, data: IndexData, listed: Uint32Array): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  const { starts, bytes } = data.words;
  for (const [index, word] of listed.entries()) {
    const start = starts[word] ?? 0;
    const isListedInitial = (starts[word + 1] ?? 0) - start === 1;
    for (const [subject, { text }] of parts.entries()) {
      const isInitial = text.length === 1;
      if (text.charCodeAt(0) !== bytes[start] || !(isListedInitial || isInitial)) continue;
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

function measure(query: Query, data: IndexData, listed: Uint32Array, pairs: readonly AlignedPair[]): Alignment {
  let [subjectFound, listedFound, foundWeight, listedWeight] = [0, 0, 0, 0];
  for (const word of listed) listedWeight += data.wordWeights[word] ?? 0;
  for (const { subjectMask, listedMask, similarity } of pairs) {
    let [subjectWeight, weight] = [0, 0];
    for (const [index, part] of query.parts.entries()) if (subjectMask & (1 << index)) subjectWeight += part.weight;
    for (let index = 0; index < listed.length; index += 1) {
      if (listedMask & (1 << index)) weight += data.wordWeights[listed[index] ?? 0] ?? 0;
    }
    subjectFound += subjectWeight * similarity.value;
    listedFound += weight * similarity.value;
    foundWeight += Math.min(subjectWeight, weight) * similarity.value;
  }
  return {
    pairs,
    subjectShare: subjectFound / query.weight,
    listedShare: listedFound / listedWeight,
    foundWeight,
  };
}
