/** What operators can pause, and what it stops until they resume it. Pure. */
import type { MerchantId, OperatorId } from '../../ids.js';
import type { PayoutObstacle } from '../../orders/order/ports.js';
import { corridorName } from '../attempt.js';

export const pauseKinds = ['rail', 'corridor', 'merchant', 'everything'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** `payouts`: nothing is paid out or back. `orders`, `quotes`: no new ones. */
export const stoppable = ['payouts', 'orders', 'quotes'] as const;
export type Stoppable = (typeof stoppable)[number];

/** The roles that can pause. */
export type PauseRole = 'reviewer' | 'admin';

export interface PauseRef {
  readonly kind: PauseKind;
  /** The rail, the corridor as `USD-MXN`, the number of the merchant, or `everything`. */
  readonly name: string;
}

/** A pause as every process knows it. */
export interface KnownPause extends PauseRef {
  readonly stops: readonly Stoppable[];
}

export interface Pause extends KnownPause {
  readonly note: string;
  /** Who resumes it has at least the role of those who paused it. */
  readonly role: PauseRole;
  readonly operatorId: OperatorId;
  readonly pausedAt: Date;
}

export interface PausedPayment {
  /** Undefined where it is not known yet. */
  readonly rail: string | undefined;
  readonly merchantId: MerchantId;
  readonly fiatIn: string;
  readonly fiatOut: string;
}

/** Undefined when nothing that the payment needs is paused. */
export function obstacleOf(pauses: readonly KnownPause[], payment: PausedPayment): PayoutObstacle | undefined {
  const kinds = kindsStopping(pauses, payment, 'payouts');
  if (kinds.includes('merchant')) return 'merchant_paused';
  if (kinds.includes('corridor')) return 'corridor_paused';
  return kinds.length > 0 ? 'rail_paused' : undefined;
}

/** Whether operators have stopped new orders or quotes like this one. */
export function isStopped(pauses: readonly KnownPause[], payment: PausedPayment, what: Stoppable): boolean {
  return kindsStopping(pauses, payment, what).length > 0;
}

function kindsStopping(
  pauses: readonly KnownPause[],
  { rail, merchantId, fiatIn, fiatOut }: PausedPayment,
  what: Stoppable,
): PauseKind[] {
  const names: Readonly<Record<PauseKind, string | undefined>> = {
    rail,
    corridor: corridorName(fiatIn, fiatOut),
    merchant: String(merchantId),
    everything: 'everything',
  };
  return pauses.filter(({ kind, name, stops }) => stops.includes(what) && names[kind] === name).map(({ kind }) => kind);
}
