/** Says which person is behind each movement. */
import { userText } from '../../persons/identifier.js';
import type { Account, PersonIndex } from '../../persons/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Movement } from './rule.js';

type MovementOfUser = Omit<Movement, 'person'>;

/** A person is recognised through others: A by B's document, B by C's name. Further than this it is a crowd. */
const stepsAtMost = 4;

/** All users of the people behind these, of all merchants: themselves, and those who are recognised through them. */
export async function usersOfPeople(
  database: Queryable,
  persons: Pick<PersonIndex, 'accountsOf'>,
  users: readonly Account[],
): Promise<Account[]> {
  const known = new Map(users.map((user) => [userText(user), user]));
  for (let step = 0, fresh = [...known.values()]; step < stepsAtMost && fresh.length > 0; step += 1) {
    const found: Account[] = [];
    for (const merchantId of new Set(fresh.map((user) => user.merchantId))) {
      const ids = fresh.filter((user) => user.merchantId === merchantId).map(({ userId }) => userId);
      found.push(...[...(await persons.accountsOf(database, merchantId, ids)).values()].flat());
    }
    fresh = found.filter((user) => !known.has(userText(user)));
    for (const user of fresh) known.set(userText(user), user);
  }
  return [...known.values()];
}

export async function named(
  database: Queryable,
  persons: Pick<PersonIndex, 'groupsOf'>,
  movements: readonly MovementOfUser[],
): Promise<Movement[]> {
  const users = new Map<string, Account>(movements.map((movement) => [userText(movement), movement]));
  const groups = await persons.groupsOf(database, [...users.values()]);
  return movements.map((movement) => {
    const user = userText(movement);
    return { ...movement, person: groups.get(user) ?? user };
  });
}
