/** The service is killed in the middle of stories of the sandbox, again and again. */
import { expect, it } from 'vitest';
import { scenarios } from '../../src/sandbox/scenarios/stories.js';
import { askToken } from '../harness/access.js';
import { type Answer, Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { endProcessesAfterEach, type RunningService, startServiceOf } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';

const database = useTestDatabase();
endProcessesAfterEach();
const folder = newFolder();

/** Without the one that needs a receiver. The quick run has some of each kind. */
const stories = scenarios
  .filter(({ isExclusive }) => isExclusive !== true)
  .filter((_, index) => index % rounds(3, 1) === 0);
const kills = rounds(1, 40);

it('goes on with every story after each kill, and no step is played twice', {
  timeout: 900_000,
}, async () => {
  let service = await start();
  const runs = await Promise.all(stories.map(({ name }) => begin(service, name)));
  for (let killed = 0; killed < kills; killed += 1) {
    const before = await stepsDone();
    const enough = before + 1 + Math.floor((Math.random() * stories.length) / 2);
    await eventually(async () => (await stepsDone()) >= enough || (await hasEnded()), {
      ...{ withinMs: 180_000, everyMs: 5, what: 'progress of the stories' },
    });
    await service.end('SIGKILL');
    await endLeases();
    service = await start();
  }
  await eventually(hasEnded, { withinMs: 300_000, everyMs: 200, what: 'the end of all stories' });
  for (const { id, name } of runs) {
    const { json: run } = await ask(service, `/sandbox/scenarios/runs/${id}`);
    const promised = stories.find((story) => story.name === name);
    expect(run).toMatchObject({ isFinished: true, status: promised?.endsAs });
    const { json: timeline } = await ask(service, `/orders/${run.orderId}/timeline`);
    expect([name, timeline.length]).toEqual([name, promised?.events.order.length]);
  }
  const made = await database.sql.query(
    `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM orders) AS orders,
            (SELECT count(*)::int FROM scenario_runs WHERE state = 'FINISHED') AS runs`,
  );
  expect(made.rows[0]).toEqual({ users: stories.length, orders: stories.length, runs: stories.length });
});

/** The address stays the same, so that a token outlives the process. */
function start(): Promise<RunningService> {
  return startServiceOf('test/programs/whole-service.ts', {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, BASE_URL: 'http://remesa.example' },
    TOKENS_PER_MINUTE: '1000000',
  });
}

async function ask({ url }: RunningService, path: string, body?: object): Promise<Answer> {
  const api = new Api(url, undefined);
  const demo = { clientId: 'demo', clientSecret: 'demo-secret' };
  const token = (await askToken({ api }, demo)).json.access_token as string;
  return body === undefined ? api.get(path, { token }) : api.post(path, { token, body });
}

async function begin(service: RunningService, name: string): Promise<{ id: string; name: string }> {
  const { json } = await ask(service, '/sandbox/scenarios', { name });
  return { id: json.id, name };
}

async function stepsDone(): Promise<number> {
  const { rows } = await database.sql.query('SELECT sum(step)::int AS steps FROM scenario_runs');
  return rows[0].steps;
}

async function hasEnded(): Promise<boolean> {
  const { rowCount } = await database.sql.query(`SELECT FROM scenario_runs WHERE state = 'RUNNING'`);
  return rowCount === 0;
}

/** They end by themselves after a minute, for which the test does not wait. */
async function endLeases(): Promise<void> {
  await database.sql.query('UPDATE orders SET try_at = NULL WHERE try_at IS NOT NULL');
  await database.sql.query('UPDATE scenario_runs SET try_at = now() WHERE try_at > now()');
  await database.sql.query(
    'UPDATE payout_attempts SET leased_until = NULL, lease_holder = NULL WHERE leased_until IS NOT NULL',
  );
}
