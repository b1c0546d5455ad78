/** An alert: what a monitoring rule found. Types only. */
import type { MerchantId, OperatorId, PublicId, UserId } from '../../ids.js';
import type { Facts, MonitoringKind } from './rule.js';

export type AlertId = PublicId<'alr'>;
export const alertStates = ['open', 'in_case', 'dismissed'] as const;
export type AlertState = (typeof alertStates)[number];

export interface Alert {
  readonly alertId: AlertId;
  readonly ruleId: string;
  readonly kind: MonitoringKind;
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly orderId: string;
  readonly orderIds: readonly string[];
  readonly facts: Facts;
  readonly state: AlertState;
  readonly caseId: PublicId<'cas'> | undefined;
  readonly decidedBy: OperatorId | undefined;
  readonly raisedAt: Date;
}
