/** What the log of a merchant's requests is told about one of them: nothing personal, and no secret. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPublicId, type MerchantId } from '../../ids.js';

export interface MerchantRequest {
  readonly merchantId: MerchantId;
  readonly requestId: string;
  readonly method: string;
  /** With our own ids; of anything else, the name of the parameter in braces. */
  readonly path: string;
  /** 499: the caller has gone before the answer. */
  readonly status: number;
  /** The code of the error. */
  readonly code: string | undefined;
  readonly ms: number;
  /** The answer was that of an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** Takes requests that have ended. It answers at once and never throws. */
export interface RequestRecorder {
  add(requests: readonly MerchantRequest[]): void;
}

/** Undefined for a request without a merchant, or without a route. */
export function merchantRequestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, ms }: Pick<MerchantRequest, 'status' | 'ms'>,
): MerchantRequest | undefined {
  const { caller, id: requestId, method, errorCode: code } = request;
  if (!caller || caller.kind === 'operator') return undefined;
  const { route } = request.routeOptions.config;
  if (!route) return undefined;
  const path = shownPath(route.path, request.params as Readonly<Record<string, unknown>>);
  const isReplay = reply.getHeader('idempotent-replayed') === 'true';
  return { merchantId: caller.merchantId, requestId, method, path, status, code, ms, isReplay };
}

function shownPath(path: string, params: Readonly<Record<string, unknown>>): string {
  if (!path.includes('{')) return path;
  return path.replaceAll(/\{(\w+)\}/g, (braces, name: string) => {
    const value = params[name];
    return isPublicId(value) ? value : braces;
  });
}
