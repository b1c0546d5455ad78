/** What the edge costs: an empty authenticated route through all of it, against a bare Fastify route. */
import { type Child, startChild } from './parts/child.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { load, perSecond, requestText } from './parts/load.js';

const rounds = 4;
/** Not measured: a process that has rested while the others had their turn is slow at first. */
const warmUpSeconds = 1;
const sliceSeconds = 1.5;
/** Of the two that are compared: the same program is faster or slower from one process to the next. */
const processes = 2;
const target = 0.65;
const request = requestText('GET', '/notes/empty', { authorization: 'Bearer merchant-1' });

const leftOut = ['log', 'metrics', 'shedding', 'rate limit', 'authenticator and rate limit'];
const added = ['six standing headers', 'an async hook', 'a listener for the end', 'the own serialiser'];
const compared = Array.from({ length: processes }, () => [['edge'], ['bare']] as const).flat();
const variants = [
  ...compared,
  ...leftOut.map((part) => ['edge', part]),
  ...added.map((part) => ['bare', part]),
] as const;

interface Measured {
  readonly children: Child[];
  readonly perSecond: number[];
  readonly cpuPerRequest: number[];
}

async function measure(): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>();
  for (const [kind = '', part] of variants) {
    const name = part === undefined ? kind : `${kind} ${part}`;
    const one = measured.get(name) ?? { children: [], perSecond: [], cpuPerRequest: [] };
    one.children.push(await startChild('edge', part === undefined ? [kind] : [kind, part]));
    measured.set(name, one);
  }
  for (const { children } of measured.values()) for (const child of children) await slice(child, 3 * warmUpSeconds);
  for (let round = 0; round < rounds * processes; round += 1) {
    for (const { children, perSecond, cpuPerRequest } of measured.values()) {
      const child = children[round % children.length] as Child;
      await slice(child, warmUpSeconds);
      const { requests, cpu, seconds } = await slice(child, sliceSeconds);
      perSecond.push(requests / seconds);
      cpuPerRequest.push(cpu / requests);
    }
  }
  await Promise.all([...measured.values()].flatMap(({ children }) => children.map((child) => child.end())));
  return measured;
}

async function slice(child: Child, seconds: number) {
  const before = await child.cpuMicroseconds();
  const result = await load({ url: child.url, connections: 32, seconds, request: () => request });
  const cpu = (await child.cpuMicroseconds()) - before;
  const requests = result.answers.get(200)?.length ?? 0;
  if (result.answers.size !== 1 || result.lost > 0) throw new Error('not every answer was a 200');
  return { requests, cpu, seconds: requests / perSecond(result) };
}

/** Round by round, so that both sides of a ratio saw the same machine. */
function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / (other[round] ?? Number.NaN));
}

const measured = await measure();
const figures = (name: string) => measured.get(name) as Measured;
const [edge, bare] = [figures('edge'), figures('bare')];
const ratio = ratios(edge.perSecond, bare.perSecond);

printTable(
  ['', 'requests/s', 'CPU µs/request'],
  (['bare', 'edge'] as const).map((name) => [
    name === 'bare' ? 'bare Fastify route' : 'through the whole edge',
    spread(figures(name).perSecond, 0),
    spread(figures(name).cpuPerRequest, 1),
  ]),
);
console.log('\nWhat each part costs (µs of CPU a request; median and spread of the rounds)');
printTable(
  ['part', 'µs', 'how'],
  [...measured.keys()]
    .filter((name) => name.includes(' '))
    .map((name) => {
      const { cpuPerRequest } = figures(name);
      const isLeftOut = name.startsWith('edge ');
      const [more, less] = isLeftOut ? [edge.cpuPerRequest, cpuPerRequest] : [cpuPerRequest, bare.cpuPerRequest];
      const cost = more.map((value, round) => value - (less[round] ?? Number.NaN));
      return [name.slice(5), spread(cost, 1), isLeftOut ? 'left out of the edge' : 'added to the bare route'];
    }),
);
console.log(`\nedge / bare, requests per second, round by round: ${spread(ratio)}`);
console.log(
  `bare / edge, CPU per request, round by round:      ${spread(ratios(bare.cpuPerRequest, edge.cpuPerRequest))}`,
);
judge(`an empty authenticated route has at least ${target} of a bare route's requests/s`, median(ratio) >= target);
