/** One effect for one approval: at the same moment, with repeated requests, and when the connection dies. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { plainTerms } from '../rates/quoting.js';
import { useApprovals } from './approvals-service.js';

const running = useApprovals();
const { askMargin, decide, refuse, corridor } = running;

async function pendingCount(): Promise<number> {
  const { rowCount } = await running.sql.query(`SELECT FROM approval_requests WHERE state = 'pending'`);
  return rowCount ?? 0;
}

describe('approving', () => {
  it('has one effect when it is done twice at the same moment', async () => {
    const { version } = await corridor();
    const { approvalId } = (await askMargin(111)).json;
    const answers = await Promise.all([1, 2, 3].map(() => decide('ben', approvalId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await corridor()).version).toBe(version + 1);
  });

  it('ends the request in one way when it is refused or withdrawn at the same moment', async () => {
    const { version } = await corridor();
    const { approvalId } = (await askMargin(112)).json;
    const answers = await Promise.all([
      decide('ben', approvalId),
      refuse('ben', approvalId),
      decide('ana', approvalId, 'withdraw'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const isApproved = answers[0]?.status === 200;
    expect((await corridor()).version).toBe(isApproved ? version + 1 : version);
  });

  it('leaves the request pending and the record unchanged when the process loses its database in the middle', async () => {
    const before = await corridor();
    const { approvalId } = (await askMargin(113)).json;
    const blocker = await running.sql.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query(`SELECT 1 FROM corridors WHERE fiat_in = 'USD' AND fiat_out = 'MXN' FOR UPDATE`);
      const approving = decide('ben', approvalId);
      // The approval waits for the row in the middle of its command.
      await eventually(async () => {
        const { rowCount } = await running.sql.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO corridors%'`,
        );
        return rowCount === 1;
      });
      expect(told(await approving)).toEqual([503, 'database_unavailable']);
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
    expect(await corridor()).toMatchObject({ ...before, pendingApproval: { approvalId } });
    expect((await decide('ben', approvalId)).status).toBe(200);
    expect(await corridor()).toMatchObject({ marginBasisPoints: 113, version: before.version + 1 });
  });
});

describe('an idempotency key', () => {
  it('makes one request of two, also at the same moment, and replays the 202', async () => {
    const both = await Promise.all([1, 2].map(() => askMargin(120, 'USD/PHP', 'ana', 'key-1')));
    const again = await askMargin(120, 'USD/PHP', 'ana', 'key-1');
    const ids = [...both, again].flatMap(({ status, json }) => (status === 202 ? [json.approvalId] : []));
    expect(new Set(ids).size).toBe(1);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(await pendingCount()).toBe(1);
    expect(told(await askMargin(121, 'USD/PHP', 'ana', 'key-1'))).toEqual([422, 'idempotency_key_reused']);
    await refuse('ben', ids[0]);
  });

  it('gives a repeated approval its first answer', async () => {
    const { approvalId } = (await askMargin(122, 'USD/PHP')).json;
    const first = await decide('ben', approvalId, 'approve', 'key-2');
    const second = await decide('ben', approvalId, 'approve', 'key-2');
    expect([second.status, second.json]).toEqual([200, first.json]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('a second request for the same corridor', () => {
  it('is refused while the first is pending, and names it', async () => {
    const { approvalId } = (await askMargin(130, 'USD/INR')).json;
    const second = await askMargin(131, 'USD/INR', 'ben');
    expect(told(second)).toEqual([409, 'approval_pending']);
    expect(second.json).toMatchObject({ approvalId, requestedBy: 'ana' });
    // A corridor is accepted as it was read, with the request that it shows.
    const body = { ...(await corridor('USD/INR')), marginBasisPoints: 131 };
    expect(body.pendingApproval).toMatchObject({ approvalId });
    const asRead = await running.as('ben', 'PUT', '/operator/corridors/USD/INR', { body });
    expect(told(asRead)).toEqual([409, 'approval_pending']);
    await decide('ana', approvalId, 'withdraw');
  });

  it('is stored once when two operators ask at the same moment', async () => {
    const answers = await Promise.all([askMargin(132, 'USD/INR', 'ana'), askMargin(133, 'USD/INR', 'ben')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(await pendingCount()).toBe(1);
  });
});

it('the amounts of a stored request are read from how they were written', async () => {
  const text = JSON.stringify({ ...plainTerms, marginBasisPoints: 140 }).replace(
    /"maxAmountIn":\d+(\.\d+)?/,
    '"maxAmountIn":9007199254.01',
  );
  const asked = await running.as('ana', 'PUT', '/operator/corridors/USD/NGN', { text });
  expect(asked.status).toBe(202);
  expect((await decide('ben', asked.json.approvalId)).status).toBe(200);
  const { rows } = await running.sql.query(
    `SELECT max_in_minor::text FROM corridors WHERE fiat_in = 'USD' AND fiat_out = 'NGN'`,
  );
  expect(rows).toEqual([{ max_in_minor: '900719925401' }]);
});
