/** What a sender can be asked for. Codes with fixed sentences, so that nothing personal gets into an order. Pure. */

/** What an operator can ask for. */
export const askableCodes = [
  'purpose',
  'source_of_funds',
  'relationship',
  'sender_identity',
  'sender_address',
  'beneficiary_details',
  'supporting_document',
  'identity_document',
  'proof_of_address',
  'proof_of_funds',
] as const;

/** The sender is asked for `requote` by the service: whether the order goes on at the rate of today. */
export const requirementCodes = [...askableCodes, 'requote'] as const;
export type RequirementCode = (typeof requirementCodes)[number];

export const requoteAnswers = ['accept', 'refuse'] as const;

/** Whether the sender has yet to accept new terms. */
export function isRequoteOpen({ requirements }: { readonly requirements: readonly RequirementCode[] }): boolean {
  return requirements.includes('requote');
}

/**
 * What the sender gives: a text, a document, a corrected beneficiary, or one of `options`. A text may come with a
 * document, and a document with a text. A text also answers for a beneficiary that is right as it is.
 */
export const requirementNeeds = ['answer', 'document', 'beneficiary', 'choice'] as const;
export type RequirementNeed = (typeof requirementNeeds)[number];

interface Requirement {
  readonly needs: RequirementNeed;
  /** What there is to choose from, where the sender needs to choose. */
  readonly options?: string[];
  /** For the sender. */
  readonly text: string;
}

const requirements: Readonly<Record<RequirementCode, Requirement>> = {
  purpose: { needs: 'answer', text: 'Describe what the money is for.' },
  source_of_funds: { needs: 'answer', text: 'Describe where the money comes from.' },
  relationship: { needs: 'answer', text: 'Describe how you know the beneficiary.' },
  sender_identity: { needs: 'answer', text: 'Confirm your full name and date of birth.' },
  sender_address: { needs: 'answer', text: 'Confirm your current address.' },
  beneficiary_details: {
    needs: 'beneficiary',
    text: 'Check the name and the account of the beneficiary, and correct them if they are wrong.',
  },
  supporting_document: { needs: 'document', text: 'Upload the invoice or contract behind the transfer.' },
  identity_document: { needs: 'document', text: 'Upload your passport or identity card.' },
  proof_of_address: {
    needs: 'document',
    text: 'Upload a bill or bank statement of the last three months that shows your address.',
  },
  proof_of_funds: {
    needs: 'document',
    text: 'Upload a document that shows where the money comes from, such as a payslip or a contract of sale.',
  },
  requote: {
    needs: 'choice',
    options: [...requoteAnswers],
    text: 'Your payment came late, and the rate of today is worse. Accept to send the money at the new rate, or refuse to get it back.',
  },
};

export function requirementOf(code: RequirementCode): Requirement & { readonly code: RequirementCode } {
  return { code, ...requirements[code] };
}
