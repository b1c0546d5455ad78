/** `npm run bank`: the command line of the simulated bank. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SimulatedBank } from './bank.js';
import { type Misbehaviour, misbehaviours, type Profile, profiles } from './dialects.js';
import { minorOf } from './payments.js';

const usage = `A bank for development and demos. It takes payments (pain.001) and recalls out of a folder,
keeps accounts, and answers with pain.002, camt.029, camt.053 and camt.054. No real money moves.

  npm run bank -- --profile sepa --account ES9121000418450200051332
      serves the folder data/bank until Ctrl-C

  npm run bank -- --pay 100.00 --to ES9121000418450200051332 --text RF18539007547034
      lets somebody pay to an account

Then start the service beside it:

  BANK_CONNECTIONS="*=folder:$PWD/data/bank" PAYOUT_RAILS=iso20022=bank_account/EUR,sandbox npm start

and add the account with POST /operator/bank/accounts. docs/bank.md has the steps.

  --folder <path>      out/ has what the service sends, in/ what the bank answers, statements/ those of
                       beneficiaries (data/bank). For SFTP, let your server serve the same folder
  --profile <name>     ${profiles.join(', ')}
  --account <number>   an account of the service, whose statements it gets; may be given several times
  --misbehave <list>   separated by commas:
${Object.entries(misbehaviours)
  .map(([name, text]) => `                         ${name.padEnd(14)}${text}`)
  .join('\n')}
  --once               looks for files once, and ends
  --pay <amount>       with --to, and --currency (EUR), --name, --from, --text

Exits with 0, or with 2 after a wrong option.
`;
const everyMs = 1_000;

export async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'number') return options;
  const folder = resolve(options.folder);
  if (options.pay !== undefined) return pay(folder, { ...options, amount: options.pay });
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const { profile, misbehaves } = options;
  const bank = new SimulatedBank({ folder, profile, misbehaves, say });
  for (const account of options.account) bank.connect(account);
  say(`The bank serves ${folder} by the profile ${profile}${misbehaves.length > 0 ? `, and is ${misbehaves}` : ''}.`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  for (;;) {
    bank.look();
    if (options.once) return 0;
    const isOver = await pause(everyMs, false, { signal: stopping.signal }).catch(() => true);
    if (isOver) return 0;
  }
}

interface Transfer {
  readonly amount: string;
  readonly to?: string | undefined;
  readonly currency: string;
  readonly name: string;
  readonly from: string;
  readonly text: string;
}

function pay(folder: string, { amount, to, currency, name, from, text }: Transfer): number {
  if (to === undefined) return wrong('--pay needs --to');
  const transfers = join(folder, 'transfers');
  mkdirSync(transfers, { recursive: true });
  const transfer = { account: to, currency, minor: `${minorOf(amount)}`, from, name, text };
  writeFileSync(join(transfers, `${Date.now()}.json`), JSON.stringify(transfer));
  process.stdout.write(`${name} pays ${currency} ${amount} to ${to}. The bank books it when it looks next.\n`);
  return 0;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        folder: { type: 'string', default: 'data/bank' },
        profile: { type: 'string', default: 'sepa' },
        account: { type: 'string', multiple: true, default: [] },
        misbehave: { type: 'string', default: '' },
        once: { type: 'boolean', default: false },
        pay: { type: 'string' },
        to: { type: 'string' },
        currency: { type: 'string', default: 'EUR' },
        name: { type: 'string', default: 'Ana Reyes' },
        from: { type: 'string', default: 'DE89370400440532013000' },
        text: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const profile = profiles.find((name) => name === values.profile);
    if (!profile) throw new Error(`There is no profile ${values.profile}`);
    const misbehaves = values.misbehave.split(',').filter((name) => name !== '');
    const unknown = misbehaves.find((name) => !(name in misbehaviours));
    if (unknown !== undefined) throw new Error(`There is no misbehaviour ${unknown}`);
    if (values.pay !== undefined && !/^\d{1,12}(\.\d{1,2})?$/.test(values.pay))
      throw new Error('--pay needs an amount');
    return { ...values, profile: profile as Profile, misbehaves: misbehaves as Misbehaviour[] };
  } catch (error) {
    return wrong((error as Error).message.split('. ')[0] ?? '');
  }
}

function wrong(message: string): number {
  process.stderr.write(`${message}.\n\n${usage}`);
  return 2;
}
