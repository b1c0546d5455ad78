/** The codes of identification, with their titles and what to do about each. */
export const problemsOfKyc = {
  zone_country_mismatch: {
    kind: 'impossible',
    title: 'The user’s country is in another zone',
    remedy: 'Use the zone in `userZone`, or correct the user’s country first.',
    exampleMembers: { zone: 'US', userZone: 'EEA' },
  },
  redirect_url_not_registered: {
    kind: 'impossible',
    title: 'The address to return to is not registered',
    remedy:
      'Use one of the redirect urls that the operator registered for you, to the letter, or leave it out.',
  },
  kyc_form_not_open: {
    kind: 'conflict',
    title: 'There is no form to fill in now',
    remedy: 'The level is held, is being looked at, or was refused for good; `caseStatus` tells which.',
    exampleMembers: {
      caseId: 'kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
      kycLevel: 'LEVEL_2',
      caseStatus: 'IN_REVIEW',
    },
  },
  kyc_case_not_found: {
    kind: 'not_found',
    title: 'No such case',
    remedy: 'Check the id; it may not be yours, or its user was deleted.',
  },
  kyc_case_not_decidable: {
    kind: 'conflict',
    title: 'This can not be decided of the case now',
    remedy:
      'Look at the case again: it is in the state of `caseStatus`, perhaps because someone else decided.',
    exampleMembers: { caseStatus: 'APPROVED' },
  },
  kyc_document_not_found: {
    kind: 'not_found',
    title: 'No such document',
    remedy: 'The case lists those that were submitted.',
  },
  kyc_document_expired: {
    kind: 'conflict',
    title: 'The identity document has expired',
    remedy: 'Ask for the part `document` again.',
  },
  documents_unavailable: {
    kind: 'unavailable',
    title: 'Documents can not be kept now',
    remedy: 'Nothing was kept. Send it again after Retry-After; the operator must look at the disk.',
  },
} as const;
