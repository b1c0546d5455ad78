import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { lupita, rateCode, sender } from '../orders/orders.js';

const shared = { BASE_URL: 'http://remesa.example', REQUESTS_IN_FLIGHT: '1000' };
const running = useRemesa({ settings: shared, hasRates: true });
const folder = newFolder();
endProcessesAfterEach();

/** A service of its own on the database of the test. It has no worker, so that it starts sooner. */
async function startServiceApart(number: number): Promise<Api> {
  const { output } = startProgram(
    'src/main.ts',
    {
      ...shared,
      DATABASE_URL: running.url,
      DATA_DIR: join(folder, String(number)),
      MASTER_KEY: testMasterKey,
      PORT: '0',
      ROLE: 'api',
      REQUESTS_PER_MINUTE: '1000000',
    },
    ['serve'],
  );
  const url = await eventually(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0], {
    withinMs: 120_000,
    what: 'the service listening',
  });
  return new Api(url, undefined);
}

it('creates exactly one of 100 orders on one quote at once, over several processes', {
  timeout: 300_000,
}, async () => {
  const apart = await Promise.all(rounds([1], [1, 2, 3]).map(startServiceApart));
  const processes = [running.api, ...apart];
  for (let round = 0; round < rounds(1, 20); round += 1) {
    const user = await sender(running);
    const body = { rateCode: await rateCode(running), beneficiary: lupita, purpose: 'gift' };
    const ask = (index: number) =>
      eventually(
        async () => {
          const api = processes[index % processes.length] as Api;
          const path = `/orders?userId=${user.id}`;
          const answer = await api.post(path, { token: running.acme.token, body });
          // A machine under load may have no connection in time: then the caller asks again.
          return answer.status === 503 ? undefined : answer;
        },
        { withinMs: 60_000, what: 'a decision on the order' },
      );
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index)));
    const created = answers.filter(({ status }) => status === 200);
    expect(created).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(told)).toEqual(
      Array.from({ length: 99 }, () => [409, 'rate_already_used']),
    );
    const { rows } = await running.sql.query(
      `SELECT (SELECT json_agg(order_id) FROM orders WHERE quote_code = $1) AS orders,
              (SELECT taken_by FROM quotes WHERE code = $1) AS taken_by,
              (SELECT count(*)::int FROM events WHERE subject = $2) AS events`,
      [body.rateCode, created[0]?.json.id],
    );
    const { id } = created[0]?.json ?? {};
    expect(rows[0]).toEqual({ orders: [id], taken_by: id, events: 1 });
  }
});
