/** Reads the Idempotency-Key of a request, and decides which requests share it and where its row is stored. */
import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RemesaError } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { AnyCall, CommandRoute, Route } from '../route.js';
import type { KeyClaim } from './idempotency.js';

/** What is read of the request of a command, which a browser, a program or a page of ours sent. */
export type CommandRequest = Pick<
  FastifyRequest,
  'method' | 'url' | 'headers' | 'params' | 'query' | 'rawBody' | 'caller'
>;

export interface KeyContext {
  readonly database: Queryable;
  /** Keys the fingerprints, so that nobody can guess a body from its stored fingerprint. */
  readonly fingerprintKey: Buffer;
  /** Encrypts stored answers that contain a secret. */
  readonly answerKey: Buffer;
}

/**
 * Returns undefined for a request without a key. Throws `idempotency_key_required` when the route needs one,
 * `idempotency_key_invalid`, and `idempotency_key_not_accepted` when the route takes no key. For an operator's command
 * it throws what its `subject` throws. Returns a promise only when there is a key.
 */
export function keyClaimOf(
  context: KeyContext,
  route: CommandRoute,
  request: CommandRequest,
  call: AnyCall,
): Promise<KeyClaim | undefined> | undefined {
  const header = request.headers['idempotency-key'];
  if (header !== undefined) return claimOf(context, route, request, call, String(header));
  if (route.idempotency?.isRequired) throw keyRequired();
  return undefined;
}

async function claimOf(
  context: KeyContext,
  route: CommandRoute,
  request: CommandRequest,
  call: AnyCall,
  header: string,
): Promise<KeyClaim | undefined> {
  if (refusesKey(route)) throw keyNotAccepted();
  const { idempotency } = route;
  const { caller } = request;
  if (!idempotency || !caller) return undefined;
  const key = readKey(header);
  const isOperator = caller.kind === 'operator';
  const merchantId = isOperator ? await subjectOf(route, call, context.database) : caller.merchantId;
  // The scope does not include the token, which may have been renewed between two attempts.
  const owner = isOperator ? `operator ${caller.operatorId}` : merchantId;
  return {
    merchantId,
    scopeHash: scopeHash([owner, request.method, request.url, call.user?.id ?? 0, key]),
    fingerprint: fingerprintOf(context.fingerprintKey, request.rawBody),
    keepForHours: idempotency.keepForHours,
    sealingKey: idempotency.isSecret ? context.answerKey : undefined,
  };
}

/** True for writes that take no key. A request for a token may have a key: it changes nothing. */
export function refusesKey(route: Route): boolean {
  if (route.kind === 'upload') return true;
  return route.kind === 'command' && route.protocol !== 'oauth' && !route.idempotency;
}

/** The merchant whose data an operator's command changes, or the instance. */
export async function subjectOf(
  { subject = 'instance' }: CommandRoute,
  call: AnyCall,
  database: Queryable,
): Promise<TenantId> {
  return subject === 'instance' ? 0 : subject(call, database);
}

const keyForm = /^(?:"([\x20-\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/** Accepts the key bare or quoted, as the draft standard writes it. Throws `idempotency_key_invalid`. */
function readKey(header: string): string {
  const match = keyForm.exec(header);
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined) return key;
  throw new RemesaError(
    'invalid',
    'idempotency_key_invalid',
    'The Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes.',
  );
}

function scopeHash(scope: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(scope)).digest();
}

function fingerprintOf(key: Buffer, body: Uint8Array | undefined): Buffer {
  return createHmac('sha256', key)
    .update(body ?? '')
    .digest();
}

function keyRequired(): RemesaError {
  return new RemesaError(
    'invalid',
    'idempotency_key_required',
    'This operation must not be carried out twice, so it needs an Idempotency-Key. Nothing was done.',
  );
}

export function keyNotAccepted(): RemesaError {
  return new RemesaError(
    'invalid',
    'idempotency_key_not_accepted',
    'This operation takes no Idempotency-Key. Nothing was done.',
  );
}
