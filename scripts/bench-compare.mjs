// `npm run bench:compare -- <checkout> <bench …>`: runs benches in this checkout and in another one by turns, and
// prints the ratio of each figure. The machine is the same for both, so the ratio says what the change cost.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, root, say } from './setup.mjs';

const defaultRounds = 3;
/** A figure as the benches print it: the median with the smallest and the largest, `0.72 (0.70–0.74)`. */
const figure = /(\d+(?:\.\d+)?) \(\d[\d.]*–\d[\d.]*\)/g;

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const [checkout, ...names] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const rounds = Number(options.find((option) => option.startsWith('--rounds='))?.slice(9) ?? defaultRounds);
if (!checkout || names.length === 0) fail('Usage: npm run bench:compare -- <checkout> <bench …> [--rounds=3]');
const other = resolve(checkout);
if (!existsSync(join(other, 'scripts', 'bench.mjs'))) fail(`There are no benches in ${other}.`);

for (const name of names) compare(name);

function compare(name) {
  const measured = { other: new Map(), here: new Map() };
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first in every second round: whatever runs second finds a warmer machine.
    const turns = round % 2 === 0 ? ['other', 'here'] : ['here', 'other'];
    for (const side of turns) {
      say(`${name}, round ${round + 1} of ${rounds}: ${side === 'here' ? root : other}`);
      collect(run(side === 'here' ? root : other, name), measured[side]);
    }
  }
  say(`\n${name}: this checkout / the other, median of ${rounds} rounds (smallest–largest)`);
  for (const [label, values] of measured.here) {
    const before = measured.other.get(label);
    if (before?.length === values.length) say(`  ${label}: ${describe(values, before)}`);
  }
}

function run(folder, name) {
  const result = spawnSync(process.execPath, [join(folder, 'scripts', 'bench.mjs'), name, '--short'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return result.stdout;
}

/** A figure is known by the words before it on its line, and by its place among the figures of that line. */
function collect(output, figures) {
  for (const line of output.split('\n')) {
    const words = line.split(/ {2,}|: +/)[0];
    for (const [index, match] of [...line.matchAll(figure)].entries()) {
      const label = index === 0 ? words : `${words} [${index + 1}]`;
      figures.set(label, [...(figures.get(label) ?? []), Number(match[1])]);
    }
  }
}

function describe(values, before) {
  const ratios = values.map((value, round) => value / before[round]).sort((left, right) => left - right);
  const [least, middle, most] = [ratios[0], ratios[Math.floor(ratios.length / 2)], ratios.at(-1)];
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}
