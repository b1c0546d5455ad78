import { describe, expect, it } from 'vitest';
import { RemesaError } from '../../src/errors.js';
import { createLog } from '../../src/log.js';
import { databaseUnavailable } from '../../src/postgres/failure.js';
import { statement } from '../../src/postgres/statement.js';
import { useTestDatabase } from '../harness/test-database.js';

const { sql, database } = useTestDatabase();

function lineOf(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  const { log } = createLog({ level: 'info', stream: { write: (line) => void lines.push(line) } });
  log.info(fields, 'a line');
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('the work did not fail'),
    (error) => error,
  );
}

describe('a log line', () => {
  const sensitive = {
    ...{ authorization: 'Bearer x', cookie: 'x', password: 'x', secret: 'x', token: 'x' },
    ...{ client_secret: 'x', access_token: 'x', firstName: 'x', lastName: 'x', email: 'x', address: 'x' },
    ...{ city: 'x', stateProvince: 'x', postalCode: 'x', dateOfBirth: 'x', documentNumber: 'x' },
  };
  const redacted = Object.fromEntries(Object.keys(sensitive).map((name) => [name, '[redacted]']));

  it('contains no secret and no personal data, down to a depth of two objects', () => {
    expect(lineOf(sensitive)).toMatchObject(redacted);
    expect(lineOf({ user: sensitive }).user).toEqual(redacted);
    expect(lineOf({ request: { user: sensitive } }).request).toEqual({ user: redacted });
  });

  it('contains all other fields, the level and the time', () => {
    const line = lineOf({ requestId: 'r-1', merchantId: 7 });
    expect(line).toMatchObject({
      requestId: 'r-1',
      merchantId: 7,
      level: 'info',
      msg: 'a line',
      pid: process.pid,
    });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is not written below the configured level', () => {
    const lines: string[] = [];
    const { log } = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } });
    log.info('too low');
    log.warn('high enough');
    expect(lines).toHaveLength(1);
  });
});

describe('an error in the log', () => {
  it('names the constraint of a duplicate value and not the value', async () => {
    await sql.query('CREATE TABLE people (email text CONSTRAINT one_email UNIQUE)');
    await sql.query("INSERT INTO people VALUES ('ada@example.com')");
    const err = await failureOf(sql.query("INSERT INTO people VALUES ('ada@example.com')"));
    expect(String((err as { detail: string }).detail)).toContain('ada@example.com');

    const line = lineOf({ err });
    expect(line.err).toMatchObject({
      type: 'DatabaseError',
      code: '23505',
      constraint: 'one_email',
      table: 'people',
    });
    expect(JSON.stringify(line)).not.toContain('ada@example.com');
  });

  it('does not contain a value that the database could not parse', async () => {
    const err = await failureOf(sql.query("SELECT 'marker-4711'::integer"));
    expect(String(err)).toContain('marker-4711');
    const line = lineOf({ err });
    expect(line.err).toMatchObject({ type: 'DatabaseError', code: '22P02' });
    expect(JSON.stringify(line)).not.toContain('marker-4711');
  });

  it('does not contain the value when the database error is the cause of another error', async () => {
    const cause = await failureOf(
      database.transaction((tx) => tx.query(statement('t.read', "SELECT 'marker-4711'::integer"))),
    );
    const line = lineOf({ err: databaseUnavailable(new Error('a wrapper', { cause })) });
    expect(line.err).toMatchObject({
      type: 'RemesaError',
      code: 'database_unavailable',
      cause: { type: 'Error', cause: { type: 'DatabaseError', code: '22P02' } },
    });
    expect(JSON.stringify(line)).not.toContain('marker-4711');
  });

  it('contains the message and the stack of our own errors', () => {
    const line = lineOf({ err: new RemesaError('conflict', 'rate_expired', 'The rate has expired.') });
    expect(line.err).toMatchObject({ type: 'RemesaError', message: 'rate_expired: The rate has expired.' });
    expect((line.err as { frames: string[] }).frames[0]).toContain('log.test.ts');
  });

  it('contains only the type of a thrown value that is not an error', () => {
    expect(lineOf({ err: 'marker-4711' }).err).toEqual({ type: 'string' });
    expect(lineOf({ err: { password: 'marker-4711' } }).err).toEqual({ type: 'object' });
  });

  it('does not hang when an error is its own cause', () => {
    const err = new Error('a circular cause');
    err.cause = err;
    expect(JSON.stringify(lineOf({ err }))).toContain('a circular cause');
  });
});
