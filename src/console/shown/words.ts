/** Names of fields and states as words. Pure. */

const known: Readonly<Record<string, string>> = {
  id: 'Id',
  fiatIn: 'From',
  fiatOut: 'To',
  amountIn: 'Amount in',
  amountOut: 'Amount out',
  kycLevel: 'Level',
  csv: 'CSV',
  url: 'URL',
  at: 'When',
  by: 'By',
  bic: 'BIC',
  userId: 'User',
  orderId: 'Order',
  accountId: 'Account',
  paymentId: 'Payment',
  suspenseId: 'Suspense',
  approvalId: 'Request',
  clientId: 'Merchant',
  marginBasisPoints: 'Margin (basis points)',
  feeBasisPoints: 'Fee (basis points)',
  isOpen: 'Open',
  isStrong: 'Strong',
  isOverdue: 'Overdue',
  isEnabled: 'Enabled',
  dueAt: 'Due',
  final: 'Final: no other attempt',
  documentMrz: 'Machine-readable zone',
  countryCode: 'Country',
  stateProvince: 'State or province',
};

/** `payInReference` → `Pay in reference`. A time loses its `At`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/At$/, '')
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replaceAll(/\bkyc\b/g, 'KYC')
    .replaceAll(/\bid\b/g, 'id');
  return known[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** `IN_REVIEW`, `payout_failed` and `documentFront` → words. */
export function stateWords(state: string): string {
  return state
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

export type Tone = 'good' | 'bad' | 'waits' | 'calm';

const tones: readonly (readonly [RegExp, Tone])[] = [
  [/fail|frozen|reject|refused|fault|strong|disabled|returned|suspended|confirmed|lost|differs|overdue/i, 'bad'],
  [/review|required|await|pending|open|waiting|action|suspense|held|unknown|submitted|instructed|claimed/i, 'waits'],
  [/completed|approved|active|paid|applied|matched|delivered|dismissed|good|passed|loaded|enabled/i, 'good'],
];

/** Colour only repeats the word. */
export function toneOf(state: string): Tone {
  return tones.find(([pattern]) => pattern.test(state))?.[1] ?? 'calm';
}
