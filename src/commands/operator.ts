/** `remesa operator …`: the first account has to come from somewhere. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Argument, type Command, Option } from 'commander';
import { type OperatorRole, operatorRoles } from '../caller.js';
import { StartupRefused } from '../errors.js';
import { loginForm, maxPasswordLength, minPasswordLength } from '../operators/operator.js';
import { hashPassword } from '../operators/password.js';
import { changeOperator, createOperator, listOperators, setPassword } from '../operators/service.js';
import { change, commandLine, print, say, withDatabase } from './command.js';

const by = { actor: commandLine };

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('the people who run this instance');
  const passwordOption = '--password-file <file>';
  const passwordHelp = 'a file that holds the password; without one a password is made and printed';
  operator
    .command('create <login>')
    .description('make an account')
    .addOption(new Option('--role <role>').choices([...operatorRoles]).default('admin'))
    .option(passwordOption, passwordHelp)
    .action((login: string, given: { role: OperatorRole; passwordFile?: string }) => create(login, given));
  operator.command('list').description('all accounts').action(list);
  operator
    .command('set-password <login>')
    .description('set a new password; open logins end')
    .option(passwordOption, passwordHelp)
    .action((login: string, given: { passwordFile?: string }) => newPassword(login, given.passwordFile));
  operator
    .command('set-role <login>')
    .description('change what an account may do')
    .addArgument(new Argument('<role>').choices([...operatorRoles]))
    .action((login: string, role: OperatorRole) => alter(login, { role }));
  operator
    .command('disable <login>')
    .description('close an account')
    .action((login: string) => alter(login, { status: 'disabled' }));
  operator
    .command('enable <login>')
    .description('open an account again')
    .action((login: string) => alter(login, { status: 'active' }));
}

function create(
  login: string,
  { role, passwordFile }: { role: OperatorRole; passwordFile?: string },
): Promise<void> {
  if (!new RegExp(loginForm).test(login)) {
    throw new StartupRefused('A login is in lower case: letters, digits, and . _ @ + - after the first.');
  }
  return withDatabase(async (opened) => {
    const password = await readPassword(passwordFile);
    const passwordHash = await hashPassword(password.text);
    await change(opened, (tx) => createOperator(tx, by, { login, passwordHash, role }));
    tellPassword(login, password);
  });
}

function newPassword(login: string, passwordFile: string | undefined): Promise<void> {
  return withDatabase(async (opened) => {
    const password = await readPassword(passwordFile);
    const passwordHash = await hashPassword(password.text);
    await change(opened, (tx) => setPassword(tx, by, login, passwordHash));
    tellPassword(login, password);
  });
}

function list(): Promise<void> {
  return withDatabase(async ({ database }) => {
    for (const { login, role, status } of await listOperators(database))
      print(`${login}\t${role}\t${status}`);
  });
}

function alter(login: string, wanted: Parameters<typeof changeOperator>[3]): Promise<void> {
  return withDatabase(async (opened) => {
    const { role, status } = await change(opened, (tx) => changeOperator(tx, by, login, wanted));
    say(`${login} is ${role}, ${status}.`);
  });
}

interface Password {
  readonly text: string;
  readonly isMade: boolean;
}

async function readPassword(file: string | undefined): Promise<Password> {
  if (file === undefined) return { text: randomBytes(15).toString('base64url'), isMade: true };
  const text = (await readFile(file, 'utf8').catch(unreadable)).trim();
  if (text.length >= minPasswordLength && text.length <= maxPasswordLength) return { text, isMade: false };
  throw new StartupRefused(
    `A password has at least ${minPasswordLength} and at most ${maxPasswordLength} characters.`,
  );
}

function unreadable({ path, code }: NodeJS.ErrnoException): never {
  throw new StartupRefused(`The file ${path} cannot be read (${code}).`);
}

function tellPassword(login: string, { text, isMade }: Password): void {
  say(`${login} can log in now.`);
  if (isMade) print(text);
}
