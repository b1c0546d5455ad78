/**
 * Screening: how many disguised names are found, how many ordinary people are flagged, and what one person costs
 * against the whole list. With OFAC's files in the folder after `--ofac=`, otherwise with invented people. `--short`
 * measures a sample.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ListEntry } from '../src/screening/lists/entry.js';
import { readOfac } from '../src/screening/lists/ofac.js';
import { type IndexedList, indexEntries } from '../src/screening/loading/indexed-list.js';
import type { Subject } from '../src/screening/screening.js';
import { inventedList } from '../test/screening/corpus/invented-list.js';
import { ordinaryPeople } from '../test/screening/corpus/ordinary-people.js';
import { flaggedShare, foundByScript, type Recall, recall, searchList, shareOf } from '../test/screening/figures.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { jaroWinkler } from './parts/jaro-winkler.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const folder = process.argv.find((argument) => argument.startsWith('--ofac='))?.slice('--ofac='.length);

const readEntries = async () => (folder ? readFolder(resolve(folder)) : inventedList(8_000, 0));
const entries = await readEntries();
console.log(folder ? 'The list: OFAC’s SDN list' : 'The list: invented people');
const { list, megabytes } = await measuredList(readEntries);
showRecall();
showPrecision();
showSpeed();
await showGrowth();

function readFolder(path: string): Promise<ListEntry[]> {
  const read = (file: string) => readFileSync(join(path, file));
  return readOfac({ sdn: read('sdn.csv'), alt: read('alt.csv') });
}

/** The memory is what the heap has grown by without garbage, with all that the index keeps of the entries. */
async function measuredList(read: () => Promise<ListEntry[]>): Promise<{ list: IndexedList; megabytes: number }> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const built = indexEntries(await read());
  collectGarbage();
  return { list: built, megabytes: (process.memoryUsage().heapUsed - before) / 2 ** 20 };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function showRecall(): void {
  const people = entries
    .filter(({ kind }) => kind === 'person')
    .filter((_, position) => !isShort || position % 10 === 0);
  const byName = recall(list.persons, people, false);
  const withDate = recall(list.persons, people, true);
  const shareAt = (figures: readonly Recall[], position: number) =>
    percent(shareOf(figures.slice(position, position + 1)));
  printTable(
    [`${people.length} people`, 'by name', 'with birth date'],
    byName.map(({ disguise }, position) => [disguise, shareAt(byName, position), shareAt(withDate, position)]),
  );
  judge(`found by name alone in five disguises: ${percent(shareOf(byName))}, target 97 %`, shareOf(byName) >= 0.97);
  for (const direction of ['listed in Latin', 'listed in own script'] as const) {
    const found = foundByScript(direction);
    printTable(
      [`names ${direction}`, 'found', 'neither found nor given to a person'],
      found.map(({ script, tried, found: count, missed }) => [script, `${count} of ${tried}`, String(missed.length)]),
    );
    judge(`names in other scripts, ${direction}: ${percent(shareOf(found))}, target 90 %`, shareOf(found) >= 0.9);
  }
}

function showPrecision(): void {
  const count = isShort ? 1000 : 5000;
  const withDate = flaggedShare(list, count, true);
  const byName = flaggedShare(list, count, false);
  judge(
    `${count} ordinary people flagged, with a checked birth date and country: ${percent(withDate)}, target under 1 %`,
    withDate < 0.01,
  );
  judge(`${count} ordinary people flagged by name alone: ${percent(byName)}, target under 3 %`, byName < 0.03);
}

/** Processor time in microseconds for each subject: other processes of the machine do not count. */
function costOf(subjects: readonly Subject[], work: (subject: Subject) => void): number {
  const before = process.cpuUsage();
  for (const subject of subjects) work(subject);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / subjects.length;
}

function searchCost(searched: IndexedList, subjects: readonly Subject[]): number {
  return costOf(subjects, (subject) => searchList(searched, subject));
}

function showSpeed(): void {
  const names = entries
    .filter(({ kind }) => kind !== 'other')
    .flatMap((entry) => entry.names.map((name) => name.toLowerCase()));
  const everybody = ordinaryPeople(rounds * 400 + 400, 99);
  searchCost(list, everybody.slice(-400));
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const subjects = everybody.slice(round * 400, (round + 1) * 400);
    const cost = searchCost(list, subjects);
    const compared = costOf(subjects.slice(0, 30), ({ names: [name = ''] }) => {
      for (const listed of names) jaroWinkler(name.toLowerCase(), listed);
    });
    costs.push(cost);
    ratios.push(compared / cost);
  }
  console.log(
    `one person: ${spread(costs, 0)} µs; Jaro–Winkler against ${names.length} names: ${((median(costs) * median(ratios)) / 1000).toFixed(1)} ms`,
  );
  console.log(`memory of the index: ${megabytes.toFixed(1)} MB`);
  judge(`times faster than Jaro–Winkler against every name: ${spread(ratios, 0)}, target 50`, median(ratios) >= 50);
}

async function showGrowth(): Promise<void> {
  const largest = isShort ? 100_000 : 1_000_000;
  const { list: large, megabytes: memory } = await measuredList(async () => inventedList(largest));
  console.log(`memory of the index of ${largest} names: ${memory.toFixed(0)} MB`);
  const first = searchCost(large, ordinaryPeople(1000, 5)) / 1000;
  judge(
    `one of 1,000 people whose words are searched for the first time, ${largest} names: ${first.toFixed(2)} ms, target 10`,
    first <= 10,
  );
  const costs = Array.from({ length: rounds }, (_, round) => searchCost(large, ordinaryPeople(400, 50 + round)) / 1000);
  judge(`one person, ${largest} names: ${spread(costs, 2)} ms, target 10`, median(costs) <= 10);
}
