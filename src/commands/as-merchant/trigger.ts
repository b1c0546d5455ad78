/** `remesa trigger` plays a scenario of the sandbox and shows each step: real orders with real notifications. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { StartupRefused } from '../../errors.js';
import { print, say } from '../command.js';
import { MerchantCalls, type MerchantOptions, withMerchantOptions } from './calls.js';

interface TriggerOptions extends MerchantOptions {
  readonly json?: boolean;
  readonly wait: boolean;
}

interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly string[];
}

interface Run {
  readonly id: string;
  readonly isFinished: boolean;
  readonly failure?: string;
  readonly stepsDone: number;
  readonly stepsInAll: number;
  readonly orderId?: string;
  readonly status?: string;
}

const betweenLooksMs = 200;

export function addTriggerCommand(program: Command): void {
  const command = program
    .command('trigger [scenario]')
    .description('play a scenario of the sandbox, with a user and an order of its own; without a name, list them')
    .addOption(new Option('--no-wait', 'return once it has begun'))
    .option('--json', 'print the run, or the scenarios, as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  remesa trigger                list the scenarios\n  remesa trigger happy_path     play one',
    );
  withMerchantOptions(command).action(trigger);
}

async function trigger(name: string | undefined, options: TriggerOptions): Promise<void> {
  const calls = MerchantCalls.of(options);
  const scenarios = await calls.get<readonly Scenario[]>('/sandbox/scenarios');
  if (name === undefined) {
    print(options.json ? scenarios : scenarios.map(lineOf).join('\n'));
    return;
  }
  const scenario = scenarios.find((known) => known.name === name);
  if (!scenario) throw new StartupRefused(`There is no scenario ${name}. \`remesa trigger\` lists them.`);
  const begun = await calls.post<Run>('/sandbox/scenarios', { name });
  const run = options.wait ? await finished(calls, scenario, begun) : begun;
  print(options.json ? run : [run.id, run.orderId, run.status].filter(Boolean).join('  '));
}

/** Says each step when it is done. Throws `StartupRefused` when the run stops before its end. */
async function finished(calls: MerchantCalls, scenario: Scenario, begun: Run): Promise<Run> {
  let said = 0;
  for (let run = begun; ; run = await calls.get<Run>(`/sandbox/scenarios/runs/${run.id}`)) {
    for (; said < run.stepsDone; said += 1) say(`${said + 1}/${run.stepsInAll}  ${scenario.steps[said] ?? ''}`);
    if (run.isFinished) return run;
    if (run.failure !== undefined) throw new StartupRefused(`The run ${run.id} stopped: ${run.failure}`);
    await pause(betweenLooksMs);
  }
}

function lineOf({ name, description }: Scenario): string {
  return `${name.padEnd(32)}  ${description}`;
}
