import { expect, it } from 'vitest';
import { mayAct, type OperatorActor, operatorRoles } from '../../src/caller.js';
import { systemClock } from '../../src/clock.js';
import { RemesaError } from '../../src/errors.js';
import { operatorId } from '../../src/ids.js';

it('the system clock tells real time', () => {
  const before = Date.now();
  const told = systemClock.now().getTime();
  expect(told).toBeGreaterThanOrEqual(before);
  expect(told).toBeLessThanOrEqual(Date.now());
});

it('an error keeps its public half apart from its cause', () => {
  const cause = new Error('the internal half');
  const error = new RemesaError('conflict', 'rate_expired', 'The rate has expired.', { cause });
  expect(error.message).toBe('rate_expired: The rate has expired.');
  expect(error.publicMessage).toBe('The rate has expired.');
  expect(error.cause).toBe(cause);
});

it('a role may do what every role before it may, and nothing more', () => {
  const allowed = operatorRoles.map((role) => {
    const operator: OperatorActor = { kind: 'operator', operatorId: operatorId(1), role };
    return operatorRoles.filter((needed) => mayAct(operator, needed));
  });
  expect(allowed).toEqual([['viewer'], ['viewer', 'reviewer'], ['viewer', 'reviewer', 'admin']]);
});
