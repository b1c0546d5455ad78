import { readFile } from 'node:fs/promises';

export interface Account {
  readonly name: string;
  readonly userId: number;
  readonly groupId: number;
}

const PREFERRED = ['postgres', 'nobody', 'daemon'];

/** An account without privileges that this machine knows: initdb asks for the name of the user it runs as. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  const accounts = (await knownAccounts()).filter(({ userId, groupId }) => userId > 0 && groupId > 0);
  const preferred = PREFERRED.map((name) => accounts.find((account) => account.name === name));
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
