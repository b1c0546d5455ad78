import { expect, it } from 'vitest';
import { mayAct, type OperatorActor, operatorRoles } from '../../src/caller.js';
import { systemClock } from '../../src/clock.js';
import { RemesaError } from '../../src/errors.js';
import { operatorId } from '../../src/ids.js';

it('the system clock returns real time', () => {
  const before = Date.now();
  const time = systemClock.now().getTime();
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it('the public message of an error does not contain its cause', () => {
  const cause = new Error('an internal detail');
  const error = new RemesaError('conflict', 'rate_expired', 'The rate has expired.', { cause });
  expect(error.message).toBe('rate_expired: The rate has expired.');
  expect(error.publicMessage).toBe('The rate has expired.');
  expect(error.cause).toBe(cause);
});

it('a role may do everything that lower roles may, and nothing more', () => {
  const allowed = operatorRoles.map((role) => {
    const operator: OperatorActor = { kind: 'operator', operatorId: operatorId(1), role };
    return operatorRoles.filter((needed) => mayAct(operator, needed));
  });
  expect(allowed).toEqual([['viewer'], ['viewer', 'reviewer'], ['viewer', 'reviewer', 'admin']]);
});
