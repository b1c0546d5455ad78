/** Who a request is counted for where callers share a limit. */
import type { FastifyRequest } from 'fastify';
import { sourceAddress } from './source-address.js';

/** A merchant has many servers and a proxy has many users, so whoever showed a token is counted by that. */
export function sourceOf({ caller, ip }: FastifyRequest): string {
  if (!caller) return sourceAddress(ip);
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
