/** `remesa operator …` manages operator accounts. The first account can only be created here. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Argument, type Command, Option } from 'commander';
import { type OperatorRole, operatorRoles } from '../caller.js';
import type { SubjectRef } from '../changes/change.js';
import { StartupRefused } from '../errors.js';
import { instanceTenant } from '../ids.js';
import { loginForm, maxPasswordLength, minPasswordLength } from '../operators/operator.js';
import { hashPassword } from '../operators/password.js';
import {
  changeOperator,
  createOperator,
  listOperators,
  recordOf,
  reviewChange,
  reviewReset,
  setPassword,
} from '../operators/service.js';
import type { Transaction } from '../postgres/statement.js';
import { bypassApproval } from './bypass.js';
import { change, commandLine, print, say, withDatabase } from './command.js';

const by = { actor: commandLine };

type AccountChange = Parameters<typeof reviewChange>[2];

interface PasswordOptions {
  passwordFile?: string;
}

interface CreateOptions extends PasswordOptions {
  role: OperatorRole;
}

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('manage operators, the people who run this instance');
  const passwordOption = '--password-file <file>';
  const passwordHelp = 'a file with the password; without it, a password is generated and printed';
  operator
    .command('create <login>')
    .description('create an account')
    .addOption(new Option('--role <role>', 'what the account may do').choices([...operatorRoles]).default('admin'))
    .option(passwordOption, passwordHelp)
    .action((login: string, options: CreateOptions) => create(login, options));
  operator.command('list').description('list all accounts').action(list);
  operator
    .command('set-password <login>')
    .description('set a new password and end all sessions of the account')
    .option(passwordOption, passwordHelp)
    .action((login: string, options: PasswordOptions) => replacePassword(login, options));
  operator
    .command('set-role <login>')
    .description('change what an account may do')
    .addArgument(new Argument('<role>').choices([...operatorRoles]))
    .action((login: string, role: OperatorRole) => update(login, { role }));
  operator
    .command('disable <login>')
    .description('disable an account')
    .action((login: string) => update(login, { status: 'disabled' }));
  operator
    .command('enable <login>')
    .description('enable a disabled account')
    .action((login: string) => update(login, { status: 'active' }));
}

function create(login: string, { role, passwordFile }: CreateOptions): Promise<void> {
  if (!new RegExp(loginForm).test(login)) {
    throw new StartupRefused(
      'A login consists of lower-case letters, digits and . _ @ + -, and begins with a letter or digit.',
    );
  }
  return withDatabase(async (opened) => {
    const password = await readPassword(passwordFile);
    const passwordHash = await hashPassword(password.text);
    await change(opened, async (tx) => {
      const operator = await createOperator(tx, by, { login, passwordHash, role });
      const isFirst = (await listOperators(tx)).length === 1;
      if (!isFirst) await bypassApproval(tx, 'operator.create', ofInstance(recordOf(operator)));
    });
    printPassword(login, password);
  });
}

function replacePassword(login: string, { passwordFile }: PasswordOptions): Promise<void> {
  return withDatabase(async (opened) => {
    const password = await readPassword(passwordFile);
    const passwordHash = await hashPassword(password.text);
    await change(opened, async (tx) => {
      const { subject } = await reviewReset(tx, login);
      await bypassApproval(tx, 'operator.change', ofInstance(subject));
      await setPassword(tx, by, login, passwordHash);
    });
    printPassword(login, password);
  });
}

function list(): Promise<void> {
  return withDatabase(async ({ database }) => {
    for (const { login, role, status } of await listOperators(database)) print(`${login}\t${role}\t${status}`);
  });
}

function update(login: string, changes: AccountChange): Promise<void> {
  return withDatabase(async (opened) => {
    const { role, status } = await change(opened, async (tx) => {
      await recordBypassOfChange(tx, login, changes);
      return changeOperator(tx, by, login, changes);
    });
    say(`${login} is ${role}, ${status}.`);
  });
}

async function recordBypassOfChange(tx: Transaction, login: string, changes: AccountChange): Promise<void> {
  const subject = await reviewChange(tx, login, changes);
  if (subject) await bypassApproval(tx, 'operator.change', ofInstance(subject.subject));
}

function ofInstance(subject: string): SubjectRef {
  return { merchantId: instanceTenant, subject };
}

interface Password {
  readonly text: string;
  readonly isGenerated: boolean;
}

async function readPassword(file: string | undefined): Promise<Password> {
  if (file === undefined) return { text: randomBytes(15).toString('base64url'), isGenerated: true };
  const text = (await readFile(file, 'utf8').catch(unreadable)).trim();
  if (text.length >= minPasswordLength && text.length <= maxPasswordLength) return { text, isGenerated: false };
  throw new StartupRefused(`A password must have from ${minPasswordLength} to ${maxPasswordLength} characters.`);
}

function unreadable({ path, code }: NodeJS.ErrnoException): never {
  throw new StartupRefused(`The file ${path} cannot be read (${code}).`);
}

function printPassword(login: string, { text, isGenerated }: Password): void {
  say(`${login} can log in now.`);
  if (isGenerated) print(text);
}
