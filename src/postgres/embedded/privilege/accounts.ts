/** Reads the accounts of the machine from /etc/passwd. */
import { readFile } from 'node:fs/promises';

export interface Account {
  readonly name: string;
  readonly userId: number;
  readonly groupId: number;
}

const preferredNames = ['postgres', 'nobody', 'daemon'];

/** Returns an account without privileges that /etc/passwd names, because initdb looks up the name of its user. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  const accounts = (await knownAccounts()).filter(({ userId, groupId }) => userId > 0 && groupId > 0);
  const preferred = preferredNames.map((name) => accounts.find((account) => account.name === name));
  return preferred.find((account) => account !== undefined) ?? accounts[0];
}

export async function accountName(userId: number): Promise<string> {
  const account = (await knownAccounts()).find((known) => known.userId === userId);
  return account === undefined ? `number ${userId}` : `"${account.name}"`;
}

async function knownAccounts(): Promise<readonly Account[]> {
  const content = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return content
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , userId, groupId]) => ({
      name,
      userId: Number(userId),
      groupId: Number(groupId),
    }))
    .filter(
      ({ name, userId, groupId }) => name !== '' && Number.isInteger(userId) && Number.isInteger(groupId),
    );
}
