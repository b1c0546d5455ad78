/** Pure: when a merchant may replace its secret itself, and which secrets that ends. */
import { RemesaError } from '../../errors.js';
import { overlapDays, type StoredSecret } from '../merchant.js';

/** How many restricted secrets a merchant can have. */
export const maxRestricted = 10;

const dayMs = 86_400_000;

/**
 * Returns the ids of the secrets that end when the merchant makes a new one now: those that were replaced long enough
 * ago. Whoever has stolen a secret can make another, but the owner's works on meanwhile. Throws
 * `secret_rotated_recently`.
 */
export function secretsToEnd(secrets: readonly StoredSecret[]): string[] {
  const unrestricted = secrets.filter(({ restricted }) => !restricted);
  const recent = unrestricted.find(({ madeBy, isRecent }) => madeBy === 'merchant' && isRecent);
  if (recent) throw rotatedRecently(new Date(recent.createdAt.getTime() + overlapDays * dayMs));
  const lastReplaced = unrestricted.findIndex(({ isRecent }) => !isRecent);
  return lastReplaced < 0 ? [] : unrestricted.slice(lastReplaced + 1).map(({ secretId }) => secretId);
}

function rotatedRecently(possibleAt: Date): RemesaError {
  return new RemesaError(
    'conflict',
    'secret_rotated_recently',
    `You have replaced your secret within the last ${overlapDays} days. The operator can do it now.`,
    { members: { possibleAt: possibleAt.toISOString() } },
  );
}
