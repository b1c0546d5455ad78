/**
 * `remesa screening check`: who on the configured lists resembles a name, and why. `remesa screening fetch` downloads
 * the lists. Neither needs a database.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../clock.js';
import { type Config, readConfig } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { readBirthDate } from '../screening/lists/birth-date.js';
import { ListFault } from '../screening/lists/list-fault.js';
import { downloadList } from '../screening/loading/download.js';
import { hasEntities } from '../screening/loading/list-source.js';
import { readList } from '../screening/loading/read-list.js';
import { loadSandboxList } from '../screening/loading/sandbox.js';
import type { Match, Subject } from '../screening/screening.js';
import { type ListSnapshot, ScreeningSnapshot } from '../screening/snapshot.js';
import { print, say } from './command.js';

interface Options {
  born?: string;
  country?: string[];
  verified: boolean;
  organisation: boolean;
  json?: boolean;
}

export function addScreeningCommands(program: Command): void {
  const screening = program.command('screening').description('download sanctions lists, compare names with them');
  addFetch(screening);
  screening
    .command('check')
    .description(
      'compare a name with the lists of SCREENING_LISTS and explain every match; exits with 2 if there is one',
    )
    .argument(
      '<name...>',
      'the name in any script, with quotes around it; further names are other names of the same person',
    )
    .option('--born <date>', 'the birth date: 1970-01-31, 1970-01 or 1970', readDate)
    .option('--country <codes...>', 'two-letter codes of nationality, residence or place of birth', readCountry)
    .option(
      '--verified',
      'a document with the birth date and country was checked; otherwise they lower no score',
      false,
    )
    .option('--organisation', 'the name is that of an organisation', false)
    .option('--json', 'print the matches as JSON')
    .action(check);
}

const ofacAddress = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/';
const openSanctionsAddress = 'https://data.opensanctions.org/datasets/latest/sanctions/targets.simple.csv';

const exposedAddress = 'https://data.opensanctions.org/datasets/latest/peps/targets.nested.json';

function addFetch(screening: Command): void {
  screening
    .command('fetch')
    .description('download the lists of SCREENING_LISTS; one that is damaged or lost too much does not replace the old')
    .option('--ofac <address>', 'the folder that has SDN.CSV, ALT.CSV and ADD.CSV', readAddress, new URL(ofacAddress))
    .option('--opensanctions <address>', 'the file targets.simple.csv', readAddress, new URL(openSanctionsAddress))
    .option('--peps <address>', 'the file of entities as lines of JSON', readAddress, new URL(exposedAddress))
    .option('--shrunken', 'accept a list that lost more than SCREENING_LIST_MAX_SHRINK_PERCENT', false)
    .action(fetchLists);
}

/** Exits with 1 when a list could not be renewed; the others are. */
async function fetchLists(options: { ofac: URL; opensanctions: URL; peps: URL; shrunken: boolean }): Promise<void> {
  const { screeningLists, screeningListMaxShrinkPercent } = readConfig();
  if (screeningLists.length === 0) throw new StartupRefused('No list is configured. Set SCREENING_LISTS.');
  for (const source of screeningLists) {
    try {
      const mostShrinkPercent = options.shrunken ? 100 : screeningListMaxShrinkPercent;
      const { entries, isNew, publishedAt } = await downloadList(source, {
        address: hasEntities(source) ? options.peps : options[source.format],
        mostShrinkPercent,
        onFile: (name, bytes) => say(`  ${name}: ${bytes} bytes`),
      });
      const published = publishedAt ? `, published ${publishedAt.toISOString().slice(0, 10)}` : '';
      print(`${source.name}: ${entries} entries${published}, ${isNew ? 'new' : 'unchanged'}.`);
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
      say(`${source.name} is not renewed: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

function readAddress(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidArgumentError('Write an address such as https://example.com/lists/.');
  return new URL(text);
}

async function check(names: string[], { born, country, verified, organisation, json }: Options): Promise<void> {
  const config = readConfig();
  const subject: Subject = {
    kind: organisation ? 'organisation' : 'person',
    names,
    ...(born !== undefined && { birthDate: born }),
    ...(country && { countries: country }),
    isVerified: verified,
  };
  const lists = await readLists(config);
  const thresholds = { matchScore: config.screeningMatchScore, strongScore: config.screeningStrongScore };
  const snapshot = new ScreeningSnapshot(lists, { isUsable: true }, thresholds);
  const matches = [...snapshot.screen(subject), ...snapshot.exposures(subject)];
  const isUnreadable = snapshot.hasUnreadableName(subject);
  if (json) print(matches);
  else print(matches.length === 0 ? noMatch(lists) : matches.map(explain).join('\n\n'));
  if (isUnreadable) say('A name cannot be compared well as it is written. Compare it yourself.');
  if (matches.length > 0 || isUnreadable) process.exitCode = 2;
}

async function readLists({ mode, screeningLists }: Config): Promise<ListSnapshot[]> {
  if (screeningLists.length > 0) return Promise.all(screeningLists.map(readOne));
  if (mode === 'live') throw new StartupRefused('No list is configured. Set SCREENING_LISTS (see .env.example).');
  say('SCREENING_LISTS is empty: the invented names of the sandbox are used.');
  return [loadSandboxList(systemClock)];
}

async function readOne(source: Config['screeningLists'][number]): Promise<ListSnapshot> {
  try {
    const { version, indexed } = await readList(source);
    return {
      name: source.name,
      version,
      persons: indexed.persons,
      organisations: indexed.organisations,
      exposed: indexed.exposed,
    };
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    throw new StartupRefused(`The list ${source.name} cannot be used: ${error.message}`);
  }
}

function noMatch(lists: readonly ListSnapshot[]): string {
  return `No match in ${lists.map(({ name }) => name).join(', ')}.`;
}

function explain({ score, isStrong, entryName, list, entryId, matchedName, reasons }: Match): string {
  const lines = reasons.map(({ effect, text }) => `  ${signed(effect).padStart(6)}  ${text}`);
  return [
    `${score}${isStrong ? ' (strong)' : ''}  ${entryName}  [${list} ${entryId}]`,
    `     100  ${matchedName}`,
    ...lines,
  ].join('\n');
}

function signed(effect: number): string {
  if (effect === 0) return '0';
  return `${effect > 0 ? '+' : '−'}${Math.abs(effect)}`;
}

function readDate(text: string): string {
  if (readBirthDate(text) === undefined) throw new InvalidArgumentError('Write a date as 1970-01-31, 1970-01 or 1970.');
  return text;
}

function readCountry(text: string, before: string[] = []): string[] {
  if (!/^[A-Za-z]{2}$/.test(text)) throw new InvalidArgumentError('Write a country as two letters, such as IR.');
  return [...before, text.toUpperCase()];
}
