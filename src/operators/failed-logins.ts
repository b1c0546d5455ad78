/** Records failed logins in the audit log at a limited rate, so that a flood of guesses does not fill it. */
import { recordChange } from '../changes/service.js';
import type { RoomCounter } from '../http/monitoring/metrics.js';
import { FixedWindows } from '../http/traffic/fixed-windows.js';
import { instanceTenant } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Operator } from './operator.js';
import { saveFailedLogin } from './store.js';

export type FailedLogin = 'unknown_login' | 'wrong_password' | 'account_disabled' | 'wrong_code' | 'too_many_attempts';

const failed: Record<FailedLogin, number> = {
  unknown_login: 0,
  wrong_password: 0,
  account_disabled: 0,
  wrong_code: 0,
  too_many_attempts: 0,
};

/** Counts each, also those that are not recorded because there are too many. */
export function countFailedLogin(reason: FailedLogin): void {
  failed[reason] += 1;
}

export const failedLoginCounter: RoomCounter = {
  name: 'remesa_failed_logins_total',
  help: 'Logins of operators that failed since this process started.',
  label: 'reason',
  read: () => Object.entries(failed),
};

/** For one process. */
const recordedAtMost = { requests: 20, windowSeconds: 60 } as const;

export class FailedLogins {
  readonly #window: FixedWindows;
  #unrecorded = 0;

  constructor(
    readonly database: Database,
    readonly log: Log,
    nowMs?: () => number,
  ) {
    this.#window = new FixedWindows(recordedAtMost.requests, recordedAtMost.windowSeconds, nowMs);
  }

  /**
   * Writes one entry, or only counts the failure when there were too many. The next entry contains that count.
   * A login that does not exist is not recorded, because people type their password into that field by mistake.
   */
  async record(
    { address, requestId }: { readonly address: string; readonly requestId: string },
    reason: FailedLogin,
    operator: Operator | undefined,
  ): Promise<void> {
    if (this.#window.count('all').left < 0) {
      this.#unrecorded += 1;
      return;
    }
    const unrecorded = this.#unrecorded;
    this.#unrecorded = 0;
    // The audit log has the address. A login that does not exist may be a password.
    this.log.warn({ requestId, reason, operator: operator?.login, unrecorded }, 'login failed');
    const by = { actor: { kind: 'system', name: 'login' }, requestId } as const;
    const change = {
      merchantId: instanceTenant,
      action: 'operator.login_failed',
      subject: `operator:${operator?.operatorId ?? 'unknown'}`,
      details: { address, reason, ...(unrecorded > 0 ? { unrecorded } : {}) },
    };
    await this.database
      .transaction(async (tx) => {
        if (operator) await saveFailedLogin(tx, operator.operatorId);
        await recordChange(tx, by, change);
      })
      .catch((error) => {
        this.#unrecorded += unrecorded + 1;
        throw error;
      });
  }
}
