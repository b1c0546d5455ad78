/** What operators can pause: nothing new is sent there until they resume it. Pure. */
import type { MerchantId, OperatorId } from '../../ids.js';
import type { PayoutObstacle } from '../../orders/order/ports.js';
import { corridorName } from '../attempt.js';

export const pauseKinds = ['rail', 'corridor', 'merchant'] as const;
export type PauseKind = (typeof pauseKinds)[number];

export interface PauseRef {
  readonly kind: PauseKind;
  /** The rail, the corridor as `USD-MXN`, or the number of the merchant. */
  readonly name: string;
}

export interface Pause extends PauseRef {
  readonly note: string;
  readonly operatorId: OperatorId;
  readonly pausedAt: Date;
}

export interface PausedPayment {
  readonly rail: string;
  readonly merchantId: MerchantId;
  /** Undefined while the corridor is not known. */
  readonly fiatIn: string | undefined;
  readonly fiatOut: string;
}

/** Undefined when nothing that the payment needs is paused. */
export function obstacleOf(
  pauses: readonly PauseRef[],
  { rail, merchantId, fiatIn, fiatOut }: PausedPayment,
): PayoutObstacle | undefined {
  const isPaused = (kind: PauseKind, name: string) =>
    pauses.some((pause) => pause.kind === kind && pause.name === name);
  if (isPaused('merchant', String(merchantId))) return 'merchant_paused';
  if (fiatIn !== undefined && isPaused('corridor', corridorName(fiatIn, fiatOut))) return 'corridor_paused';
  return isPaused('rail', rail) ? 'rail_paused' : undefined;
}
