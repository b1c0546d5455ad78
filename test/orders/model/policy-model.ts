/** What merchants can declare about payments that do not match, and what holds until they do. From the design. */

export const policyChoices = {
  short: ['wait', 'refund', 'suspense'],
  over: ['refund', 'suspense'],
  late: ['requote', 'refund', 'suspense'],
  duplicate: ['refund', 'suspense'],
  wrongCurrency: ['refund', 'suspense'],
  afterEnd: ['refund', 'suspense'],
} as const;

export type ModelPolicies = {
  readonly [Case in keyof typeof policyChoices]: (typeof policyChoices)[Case][number];
};

export const defaultPolicies: ModelPolicies = {
  ...{ short: 'wait', over: 'suspense', late: 'requote' },
  ...{ duplicate: 'suspense', wrongCurrency: 'suspense', afterEnd: 'suspense' },
};
