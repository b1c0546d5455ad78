/**
 * Remembers opened group keys for a minute, so that creating a user does not read them again. A remembered key may be out of
 * date: it was replaced, or the transaction that made it was rolled back. The statement that uses it compares it with the row.
 */
import type { Clock } from '../../clock.js';
import type { UserRef } from '../user.js';
import { groupOf, type OpenedGroupKey } from './user-key.js';

const rememberedMs = 60_000;
const mostKeys = 10_000;

export class RecentGroupKeys {
  /** The oldest comes first. */
  readonly #keys = new Map<string, { readonly key: OpenedGroupKey; readonly until: number }>();

  constructor(readonly clock: Clock) {}

  find(user: UserRef): OpenedGroupKey | undefined {
    this.#forgetOld();
    return this.#keys.get(nameOf(user))?.key;
  }

  remember(user: UserRef, key: OpenedGroupKey): void {
    this.forget(user);
    this.#forgetOld();
    this.#keys.set(nameOf(user), { key, until: this.clock.now().getTime() + rememberedMs });
  }

  forget(user: UserRef): void {
    this.#keys.delete(nameOf(user));
  }

  #forgetOld(): void {
    const now = this.clock.now().getTime();
    for (const [name, { until }] of this.#keys) {
      if (until > now && this.#keys.size < mostKeys) return;
      this.#keys.delete(name);
    }
  }
}

function nameOf({ merchantId, userId }: UserRef): string {
  return `${merchantId} ${groupOf(userId)}`;
}
