/** `remesa config check`: reads the settings as the service would, without starting anything. */
import type { Command } from 'commander';
import { describedSettings, readConfig } from '../config/config.js';
import { liveNeeds } from '../config/live-needs.js';
import { print, say } from './command.js';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('check the settings')
    .command('check')
    .description('check all settings without starting anything; exits with 1 when one is wrong, 2 when live lacks one')
    .option('--all', 'also print the settings that have their default', false)
    .option('--json', 'print the settings as JSON', false)
    .action(check);
}

/** Throws `StartupRefused` with all faults, as the start of the service does. */
function check({ all, json }: { all: boolean; json: boolean }): void {
  const { mode } = readConfig();
  const settings = describedSettings();
  const shown = settings.filter(({ from, value }) => all || (from !== 'default' && value !== undefined));
  if (json) print(shown);
  else
    for (const { name, value = '', from } of shown) print(`${name}=${value}${from === 'default' ? '' : `  # ${from}`}`);
  const isDefault = (name: string) => settings.find((setting) => setting.name === name)?.from === 'default';
  const lacking = mode === 'live' ? liveNeeds.filter(({ name }) => isDefault(name)) : [];
  for (const { name, without } of lacking) say(`${name} is not set: ${without}.`);
  if (lacking.length > 0) process.exitCode = 2;
  else say('The settings are right. `remesa doctor` also checks what they lead to.');
}
