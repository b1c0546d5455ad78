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
] as const;

/** The sender is asked for `requote` by the service: whether the order goes on at the rate of today. */
export const requirementCodes = [...askableCodes, 'requote'] as const;
export type RequirementCode = (typeof requirementCodes)[number];

export const requoteAnswers = ['accept', 'refuse'] as const;

/** Whether the sender has yet to accept new terms. */
export function isRequoteOpen({
  requirements,
}: {
  readonly requirements: readonly RequirementCode[];
}): boolean {
  return requirements.includes('requote');
}

const texts: Readonly<Record<RequirementCode, string>> = {
  purpose: 'Describe what the money is for.',
  source_of_funds: 'Describe where the money comes from.',
  relationship: 'Describe how you know the beneficiary.',
  sender_identity: 'Confirm your full name and date of birth.',
  sender_address: 'Confirm your current address.',
  beneficiary_details:
    'Check the name and the account of the beneficiary, and correct them if they are wrong.',
  supporting_document: 'Describe the invoice or contract behind the transfer: its number, date and issuer.',
  requote:
    'Your payment came late, and the rate of today is worse. Answer "accept" to send the money at the new rate, or "refuse" to get it back.',
};

/** The sentence for the sender. */
export function requirementText(code: RequirementCode): string {
  return texts[code];
}
