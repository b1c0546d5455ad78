/**
 * What telling senders costs: POST /orders with the acceptance of a disclosure and without, and POST /orders/preflight,
 * which has the disclosure in its answer, by turns. `--short` makes it quick and rough.
 */
import { makePlace } from './parts/database.js';
import { judge, median, printTable, spread } from './parts/figures.js';
import { perSecond } from './parts/load.js';
import { answeredFor, createFor, makeOrdersInstance } from './parts/orders-instance.js';

const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 5;
const seconds = isShort ? 3 : 6;
const connections = 32;

const place = await makePlace();
const instance = await makeOrdersInstance(place.url, 'disclosures', isShort ? 16_000 : 50_000);

/** Every quote has the same terms, so that every sender reads the same text. */
async function hashOfText(): Promise<string> {
  const [head = '', body = ''] = instance.tryRequest().split('\r\n\r\n');
  const [, path = ''] = head.split(' ');
  const headers = { authorization: `Bearer ${instance.service.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${instance.service.child.url}${path}`, { method: 'POST', headers, body });
  const { disclosure, problems } = await answer.json();
  if (!disclosure) throw new Error(`there is no disclosure: ${JSON.stringify(problems)}`);
  return disclosure.textHash;
}

const acceptedDisclosure = { textHash: await hashOfText(), language: 'en' };
await createFor(instance, connections, 1);
const measured: { plain: number; accepted: number; tried: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const plain = perSecond(await createFor(instance, connections, seconds));
  const accept = () => instance.createRequest({ acceptedDisclosure });
  const accepted = perSecond(await answeredFor(instance, { connections, seconds, request: accept }));
  const tried = perSecond(await answeredFor(instance, { connections, seconds, request: () => instance.tryRequest() }));
  measured.push({ plain, accepted, tried });
}
await instance.service.child.end();
await place.end();

const of = (pick: (round: (typeof measured)[number]) => number) => spread(measured.map(pick), 0);
console.log(`\n${connections} clients, medians of ${rounds} rounds of ${seconds} s`);
printTable(
  ['', 'requests/s'],
  [
    ['POST /orders', of(({ plain }) => plain)],
    ['POST /orders with acceptedDisclosure', of(({ accepted }) => accepted)],
    ['POST /orders/preflight', of(({ tried }) => tried)],
  ],
);
const ratios = measured.map(({ plain, accepted }) => accepted / plain);
judge(`an order with an accepted disclosure: ${spread(ratios)} of one without (at least 0.7)`, median(ratios) >= 0.7);
