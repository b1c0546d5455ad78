/**
 * Owns what merchants see of their last requests: a help for their developers, which may have gaps.
 * Does not own the log of the service, or that of changes (changes). This file is pure.
 */
import type { MerchantRequest } from '../http/monitoring/merchant-request.js';

/** An ended request, with the time at which it arrived. */
export interface EndedRequest extends MerchantRequest {
  readonly receivedAt: Date;
}

/** As it is stored. */
export interface LoggedRequest extends Omit<EndedRequest, 'merchantId'> {
  readonly requestNo: number;
}

/** How many requests of a merchant are kept, and for how long. */
export const keptRequests = 1000;
export const keptDays = 7;

/** Programs call these all the time: they would leave no room for anything else. */
const polled = new Set(['/events', '/merchant/requests']);

export function isWorthKeeping({ method, path, status }: MerchantRequest): boolean {
  return status >= 400 || (method !== 'GET' && method !== 'HEAD') || !polled.has(path);
}

export const statusClasses = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** The statuses of a class: from the first, and below the second. */
export function statusesOf(statusClass: StatusClass | undefined): readonly [from: number, below: number] {
  if (statusClass === undefined) return [0, 1000];
  const from = Number(statusClass[0]) * 100;
  return [from, from + 100];
}
