/** A command that is written down and restored, also by a version that has changed since. */
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { StoredCommands, storedRequestOf } from '../../src/http/commands/stored-command.js';
import { command, type Route } from '../../src/http/route.js';
import { operatorId } from '../../src/ids.js';
import type { Transaction } from '../../src/postgres/statement.js';

const Body = Type.Object(
  {
    amount: Type.Number(),
    owners: Type.Optional(Type.Array(Type.Object({ pin: Type.String({ writeOnly: true }) }))),
    secret: Type.Optional(Type.String({ writeOnly: true })),
  },
  { additionalProperties: false },
);
const route = (body = Body, operationId = 'pay'): Route =>
  command({
    ...{ method: 'POST', path: '/pay/{account}', operationId, tag: 'T', summary: 'Pay' },
    access: { token: 'operator', role: 'reviewer' },
    subject: 'instance',
    fourEyes: { action: 'rate.accept', review: async () => undefined },
    params: Type.Object({ account: Type.String() }),
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    body,
    literals: ['/amount'],
    answer: Type.Unknown(),
    run: async ({ params, query, literal, by }) => ({ params, query, amount: literal('/amount'), by }),
  });
const stored = (text: string, before?: object) =>
  storedRequestOf(
    route(),
    { ...{ params: { account: 'a' }, query: { limit: '3' }, headers: {} }, rawBody: Buffer.from(text) } as never,
    before,
  );
const approver = { kind: 'operator', operatorId: operatorId(2), role: 'admin' } as const;
const by = {
  caller: { ...approver, token: { tokenId: 't', expiresAt: 0 } },
  ...{ requestId: 'r', address: '::1', approval: { approvalId: 'apr_1', requestedBy: operatorId(1) } },
};
const commands = (...routes: Route[]) => new StoredCommands(() => routes);

describe('a stored command', () => {
  it('runs as it came, with its numbers as they were written, for the operator who approves it', async () => {
    const restored = commands(route()).restore(stored('{"amount": 1.10}'), by);
    expect(await restored?.run({} as Transaction, undefined)).toMatchObject({
      ...{ params: { account: 'a' }, query: { limit: 3 }, amount: '1.10' },
      by: { actor: approver, requestId: 'r', approval: { approvalId: 'apr_1', requestedBy: 1 } },
    });
  });

  it('is not run by a version that lacks the operation, or accepts other fields', () => {
    const other = Type.Object({ sum: Type.Number() }, { additionalProperties: false });
    expect(commands().restore(stored('{"amount": 1}'), by)).toBeUndefined();
    expect(commands(route(Body, 'payOut')).restore(stored('{"amount": 1}'), by)).toBeUndefined();
    expect(commands(route(other as never)).restore(stored('{"amount": 1}'), by)).toBeUndefined();
    expect(commands().roleFor('pay')).toBeUndefined();
    expect(commands(route()).roleFor('pay')).toBe('reviewer');
  });

  it('is shown without what may only be written, at any depth', () => {
    const text = '{"amount": 1, "secret": "s3cret", "owners": [{"pin": "1234"}]}';
    const shown = commands(route()).show(stored(text));
    expect(shown?.request).toMatchObject({ method: 'POST', path: '/pay/{account}', params: { account: 'a' } });
    expect(shown?.request.body).toEqual({ amount: 1, secret: '***', owners: [{ pin: '***' }] });
    expect(shown?.changes).toBeNull();
  });

  it('is shown with what differs from what it replaces, field by field, and without what it leaves alone', () => {
    const text = '{"amount": 2, "owners": [{"pin": "1"}, {"pin": "2"}], "limits": ["a"], "a/b": {"c": null}}';
    const before = {
      amount: 1,
      owners: [{ pin: '1' }, { name: 'Ana' }],
      limits: ['a', 'b'],
      other: 1,
      'a/b': { c: 3 },
    };
    expect(commands(route()).show(stored(text, before))?.changes).toEqual([
      { field: '/amount', before: 1, after: 2 },
      { field: '/owners/0/pin', before: '1', after: '***' },
      { field: '/owners/1/pin', before: null, after: '***' },
      { field: '/limits', before: ['a', 'b'], after: ['a'] },
      { field: '/a~1b/c', before: 3, after: null },
    ]);
  });
});
