/** The source of a request, by which callers that share a limit are counted. */
import type { FastifyRequest } from 'fastify';
import { sourceAddress } from './source-address.js';

/** A merchant has many servers and a proxy has many users, so a caller with a token is counted by its token. */
export function sourceOf({ caller, ip }: FastifyRequest): string {
  if (!caller) return sourceAddress(ip);
  return caller.kind === 'operator' ? `operator ${caller.operatorId}` : `merchant ${caller.merchantId}`;
}
