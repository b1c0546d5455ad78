/** The error codes of documents, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const documentProblems: ProblemCatalogue = {
  documents_unavailable: {
    kind: 'unavailable',
    title: 'Documents cannot be stored now',
    remedy:
      'Nothing was stored. Send the document again after Retry-After. If it keeps failing, tell the operator, who must check the disk and the log.',
  },
};
