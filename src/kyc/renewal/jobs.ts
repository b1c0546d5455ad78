/** The jobs of cases: expire approvals, announce that they end soon, and delete old form links. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import type { MerchantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Agenda } from '../../worker/agenda.js';
import { sweepByMerchant } from '../../worker/by-merchant.js';
import { doOneByOne } from '../../worker/one-by-one.js';
import type { Job } from '../../worker/worker.js';
import { viewOfCase } from '../cases/case.js';
import { recordOf } from '../cases/history.js';
import { noticeDays } from '../cases/renewal.js';
import { transitionCase } from '../cases/transition.js';
import { type CaseRef, listDueToExpire, listExpiring, lockDueToExpire, noteExpiring } from '../review/queue-store.js';
import { formTokenSweep } from '../submissions/form-token-store.js';
import { hasDueCases, nextDueOfCases } from './agenda-store.js';

const batchSize = 100;
const byExpiry: By = { actor: { kind: 'system', name: 'expiry' } };

export interface ExpiryOptions {
  readonly database: Database;
  readonly log: Log;
}

export function kycJobs(database: Database, log: Log): Job[] {
  return [
    { name: 'kyc.expire', everySeconds: 60, run: (signal) => expireDue({ database, log }, signal) },
    {
      name: 'kyc.tell-expiring',
      everySeconds: 300,
      run: (signal) => tellExpiring({ database, log }, signal),
    },
    {
      name: 'kyc.sweep-form-tokens',
      everySeconds: 600,
      run: (signal) => sweepByMerchant(database, formTokenSweep(1000), signal),
    },
  ];
}

/** What approvals do by a merchant's clock: they are about to end, and they end. */
export function kycAgenda(options: ExpiryOptions): Agenda {
  const { database } = options;
  return {
    nextDue: (merchantId, after) => nextDueOfCases(database, merchantId, after),
    hasDue: (merchantId) => hasDueCases(database, merchantId),
    async runDue(merchantId, signal) {
      const told = await tellExpiring(options, signal, merchantId);
      return told + (await expireDue(options, signal, merchantId));
    },
  };
}

function expireDue({ database, log }: ExpiryOptions, signal: AbortSignal, merchantId?: MerchantId): Promise<number> {
  const items = {
    next: (except: readonly CaseRef[]) => listDueToExpire(database, { merchantId, except, atMost: batchSize }),
    work: (due: CaseRef) => expire(database, due),
    onFailure: ({ caseId }: CaseRef, err: unknown) => log.error({ caseId, err }, 'case cannot be expired'),
  };
  return doOneByOne(items, signal);
}

function expire(database: Database, due: CaseRef): Promise<boolean> {
  return database.transaction(async (tx) => {
    const kycCase = await lockDueToExpire(tx, due);
    if (kycCase) await transitionCase(tx, byExpiry, kycCase, 'expire');
    return kycCase !== undefined;
  });
}

async function tellExpiring(
  { database, log }: ExpiryOptions,
  signal: AbortSignal,
  merchantId?: MerchantId,
): Promise<number> {
  let told = 0;
  // The nearest first: a merchant that is told of the last week need not be told of the month.
  for (const days of noticeDays) {
    const items = {
      next: (except: readonly CaseRef[]) => listExpiring(database, days, { merchantId, except, atMost: batchSize }),
      work: (expiring: CaseRef) => tellOf(database, expiring, days),
      onFailure: ({ caseId }: CaseRef, err: unknown) =>
        log.error({ caseId, err }, 'merchant could not be notified of an expiring case'),
    };
    told += await doOneByOne(items, signal);
  }
  return told;
}

/** Announces each date once: the note of it commits with the event. */
function tellOf(database: Database, expiring: CaseRef, days: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const kycCase = await noteExpiring(tx, expiring, days);
    if (!kycCase) return false;
    await recordChange(tx, byExpiry, {
      merchantId: kycCase.merchantId,
      action: 'kyc.expiring',
      subject: recordOf(kycCase),
      event: { channel: 'kyc', type: 'kyc.expiring', object: viewOfCase(kycCase), previousStatus: null },
    });
    return true;
  });
}
