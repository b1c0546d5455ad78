/** Writes the request of a command down as text, and makes a call of it again, to be run when it is approved. */
import type { TSchema } from 'typebox';
import type { ApprovalSubject } from '../../approval.js';
import type { By, OperatorCaller, OperatorRole } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { parseJsonBody } from '../body/json-body.js';
import { literalPointers } from '../body/literal-pointers.js';
import { fieldReader } from '../fields.js';
import type { AnyCall, CommandRoute, Route } from '../route.js';
import { noteOf } from './approval-note.js';
import { changesBetween, type FieldChange } from './field-changes.js';
import { type CommandRequest, subjectOf } from './key-claim.js';

interface StoredRequest {
  readonly operationId: string;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** The text of the body, so that amounts are read again from how they were written; null without a body. */
  readonly body: string | null;
  /** Why the operator asks. */
  readonly note: string | null;
  /** What the body would replace. */
  readonly before: object | null;
}

/** Who runs the command now: the operator who approves it. */
export interface RunBy {
  readonly caller: OperatorCaller;
  readonly requestId: string;
  readonly address: string;
  readonly approval: NonNullable<By['approval']>;
}

/** A stored command, bound to the operator who approves it. */
export interface RestoredCommand {
  merchantOf(tx: Transaction): Promise<TenantId>;
  review(tx: Transaction): Promise<ApprovalSubject | undefined>;
  /** Does the slow work of the command, before the transaction. */
  prepare(): Promise<unknown>;
  run(tx: Transaction, prepared: unknown): Promise<unknown>;
  afterCommit(database: Database, prepared: unknown): Promise<void>;
  /** What is kept of the answer. */
  resultOf(answer: unknown): CommandResult;
}

/** What is kept of the answer of a command that was approved. */
export interface CommandResult {
  /** The path under which the result is found. */
  readonly path: string | undefined;
  /** The answer as JSON, when it contains a secret for the operator who asked. */
  readonly secretAnswer: string | undefined;
}

/** A request as the operator who decides sees it: what must not be read, such as a secret, is replaced by `***`. */
export interface ShownRequest {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly params: Record<string, unknown>;
    readonly query: Record<string, unknown>;
    readonly body: unknown;
  };
  readonly note: string | null;
  /** Null when nothing is known of what the body would replace. */
  readonly changes: readonly FieldChange[] | null;
}

/** Throws `invalid_fields` when the note cannot be read. */
export function storedRequestOf({ operationId }: Route, request: CommandRequest, before: object | undefined): string {
  const stored: StoredRequest = {
    operationId,
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: request.rawBody?.toString() ?? null,
    note: noteOf(request.headers),
    before: before ?? null,
  };
  return JSON.stringify(stored);
}

export class StoredCommands {
  /** The routes are asked for when they are needed, because they include the one that approves. */
  constructor(readonly routes: () => readonly Route[]) {}

  /** The role that the route of the operation demands; undefined when this version has no such command. */
  roleFor(operationId: string): OperatorRole | undefined {
    const access = this.#find(operationId)?.access;
    return access?.token === 'operator' ? access.role : undefined;
  }

  /** The codes with which the commands that need a second person refuse. */
  refusals(): string[] {
    const commands = this.routes().filter((route) => route.kind === 'command' && route.fourEyes);
    return [...new Set(commands.flatMap(({ refusals = [] }) => refusals))];
  }

  /** Undefined when this version does not have the operation any more, or accepts other fields. */
  restore(payload: string, by: RunBy): RestoredCommand | undefined {
    const stored = JSON.parse(payload) as StoredRequest;
    const route = this.#find(stored.operationId);
    const fourEyes = route?.fourEyes;
    const call = route && callIfValid(route, stored, by);
    if (!call || !fourEyes) return undefined;
    return {
      merchantOf: (tx) => subjectOf(route, call, tx),
      review: (tx) => fourEyes.review(call, tx),
      prepare: async () => route.prepare?.(call),
      run: (tx, prepared) => route.run(call, tx, prepared),
      afterCommit: async (database, prepared) => route.afterCommit?.(call, database, prepared),
      resultOf: (answer) => ({
        path: fourEyes.resultPath?.(answer),
        secretAnswer: fourEyes.hasSecretAnswer ? JSON.stringify(answer) : undefined,
      }),
    };
  }

  /** Undefined when this version has no such operation. */
  show(payload: string): ShownRequest | undefined {
    const { operationId, params, query, body, note, before } = JSON.parse(payload) as StoredRequest;
    const route = this.#find(operationId);
    if (!route) return undefined;
    const value = body === null ? null : withoutSecrets(route.body, JSON.parse(body));
    const changes = before === null ? null : changesBetween(before, value);
    return { request: { method: route.method, path: route.path, params, query, body: value }, note, changes };
  }

  #find(operationId: string): CommandRoute | undefined {
    return this.routes().find(
      (route): route is CommandRoute => route.operationId === operationId && route.kind === 'command',
    );
  }
}

function callIfValid(route: CommandRoute, stored: StoredRequest, by: RunBy): AnyCall | undefined {
  try {
    return callOf(route, stored, by);
  } catch (error) {
    if (error instanceof RemesaError) return undefined;
    throw error;
  }
}

function callOf(route: CommandRoute, { params, query, body }: StoredRequest, by: RunBy): AnyCall {
  const { caller, requestId, address, approval } = by;
  const literals = literalPointers(route.literals ?? []);
  const fields = route.bodyBounds?.fields;
  const json =
    body === null
      ? undefined
      : parseJsonBody(Buffer.from(body), { literals, ...(fields === undefined ? {} : { fields }) });
  return {
    ...fieldReader(route)({ params, query, body: json?.value }),
    caller,
    requestId,
    address,
    user: undefined,
    by: { actor: caller, requestId, approval },
    literal: (pointer) => json?.literals.get(pointer),
  };
}

/** Replaces the fields that the schema marks as `writeOnly`. */
function withoutSecrets(schema: TSchema | undefined, value: unknown): unknown {
  const { writeOnly, items, properties } = (schema ?? {}) as {
    writeOnly?: boolean;
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  if (writeOnly) return '***';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(items, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withoutSecrets(properties?.[name], field)]),
  );
}
