/** Which of the accounts that paid an order gets its refund. Pure. */

export interface PayingAccount {
  readonly name: string;
  readonly account: string;
}

/** What is known about who made a payment. */
export interface KnownPayer {
  readonly name: string | undefined;
  readonly account: string | undefined;
  /** The name is unlike the user's. */
  readonly isAnother: boolean;
}

/** Takes the newest payment first. */
export function refundAccountOf(payers: readonly KnownPayer[]): PayingAccount | undefined {
  const isOneAccount = new Set(payers.map(({ account }) => account)).size === 1;
  const chosen = payers.find(({ account, isAnother }) => account !== undefined && (isOneAccount || !isAnother));
  if (chosen?.name === undefined || chosen.account === undefined) return undefined;
  return { name: chosen.name, account: chosen.account };
}
