/**
 * Serves a command: claim the key → prepare → run the verb in one transaction, or store it for a second person →
 * answer.
 */
import type { OperatorCaller } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { type Approvals, encodeRequested } from '../four-eyes.js';
import type { AnyCall, CommandRoute } from '../route.js';
import { type RunAnswer, runCommand } from './command.js';
import type { CommandAnswer } from './idempotency.js';
import { type CommandRequest, type KeyContext, keyClaimOf, subjectOf } from './key-claim.js';
import { storedRequestOf } from './stored-command.js';

export interface CommandContext extends KeyContext {
  readonly database: Database;
  readonly approvals: Approvals;
}

export interface CommandCall {
  readonly request: CommandRequest;
  readonly call: AnyCall;
}

/** Returns what runs a call of the route. It throws when the call is refused. */
export function commandServer(
  context: CommandContext,
  route: CommandRoute,
  encode: (answer: unknown) => string,
): (served: CommandCall) => Promise<RunAnswer> {
  return async ({ request, call }) => {
    const key = await keyClaimOf(context, route, request, call);
    if (!key && route.runKeyless) return { status: 200, body: encode(await route.runKeyless(call)), replayed: false };
    const prepared = await route.prepare?.(call);
    const verb = async (tx: Transaction) => {
      const run = () => route.run(call, tx, prepared);
      const requested = await requestIfNeeded(tx, context, route, { request, call, run });
      return requested ?? ({ status: 200, body: encode(await run()) } as const);
    };
    const answer = await runCommand(context.database, verb, key).catch((error) =>
      recordRefusal(context, route, call, error),
    );
    if (answer.status === 200) await route.afterCommit?.(call, context.database, prepared);
    return answer;
  };
}

/**
 * The one place where four eyes are enforced. Returns the answer when the command must wait for a second person;
 * undefined: it may run. The verb is rehearsed first, so that no request is stored that could not be carried out now.
 */
async function requestIfNeeded(
  tx: Transaction,
  { approvals }: CommandContext,
  route: CommandRoute,
  { request, call, run }: CommandCall & { readonly run: () => Promise<unknown> },
): Promise<CommandAnswer | undefined> {
  const { fourEyes, operationId } = route;
  if (!fourEyes || !approvals.isDemanded(fourEyes.action)) return undefined;
  const subject = await fourEyes.review(call, tx);
  if (!subject) return undefined;
  const before = await fourEyes.before?.(call, tx);
  await tx.rehearse(run);
  const requested = await approvals.request(tx, {
    action: fourEyes.action,
    operationId,
    subject,
    merchantId: await subjectOf(route, call, tx),
    by: { actor: call.caller as OperatorCaller, requestId: call.requestId },
    payload: storedRequestOf(route, request, before),
  });
  return { status: 202, body: JSON.stringify(encodeRequested(requested)) };
}

/** Throws the given error again, after the route has recorded the refusal. */
async function recordRefusal(
  { database }: CommandContext,
  { onRefused }: CommandRoute,
  call: AnyCall,
  error: unknown,
): Promise<never> {
  if (onRefused && error instanceof RemesaError) {
    await database.transaction((tx) => onRefused(call, error, tx));
  }
  throw error;
}
