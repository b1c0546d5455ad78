/** What leaves an instance waits while sending is held, and a copy of a live database sends nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { changeSending, heldSending } from '../../src/startup/sending.js';
import { auditRows } from '../harness/access.js';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { happen } from '../webhooks/happenings.js';
import { arrived, register, useNotifications } from '../webhooks/notifying.js';

const by = { actor: { kind: 'system', name: 'command line' } } as const;
const baseUrl = 'https://pay.example.com';

describe('while sending is held', () => {
  const running = useNotifications();
  const change = (isHeld: boolean) =>
    running.database.transaction((tx) => changeSending(tx, by, { isHeld, baseUrl: undefined }));
  const gauge = async (name: string) => {
    const { text } = await new Api(running.service.url, undefined).get('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('notifications wait, and all of them are sent once it is allowed again', async () => {
    await register(running, running.acme);
    await change(true);
    await eventually(async () => (await gauge('remesa_sending_held')) === 1, { withinMs: 20_000 });
    expect((await running.api.get('/readyz')).json).toMatchObject({ status: 'ready', warnings: ['sending_held'] });
    const eventId = await happen(running.database, running.acme);
    // It is due for seconds, so it would have left long ago.
    await eventually(async () => (await gauge('remesa_queue_age_seconds\\{queue="webhooks.deliver"\\}')) > 2, {
      withinMs: 20_000,
    });
    expect(running.receiver.received).toEqual([]);
    await change(false);
    await arrived(running, eventId);
    expect((await auditRows(running.sql, 'sending.held')).map(({ actor }) => actor)).toEqual(['system:command line']);
    expect(await auditRows(running.sql, 'sending.allowed')).toHaveLength(1);
  });
});

describe('a live database', () => {
  const { database, sql } = useTestDatabase();
  const copy = useTestDatabase();
  beforeAll(async () => {
    await sql.query("INSERT INTO instance (mode) VALUES ('live')");
    await database.transaction((tx) => changeSending(tx, by, { isHeld: false, baseUrl }));
    const { rows } = await sql.query('SELECT sends_from FROM instance');
    await copy.sql.query("INSERT INTO instance (mode, sends_from) VALUES ('live', $1)", [rows[0].sends_from]);
  });

  it('sends from its own place', async () => {
    expect(await heldSending(database, baseUrl)).toBeUndefined();
  });

  it('sends nothing under another public address', async () => {
    expect(await heldSending(database, 'https://drill.example.com')).toBe('other_place');
  });

  it('sends nothing as a copy, until a person allows it there', async () => {
    expect(await heldSending(copy.database, baseUrl)).toBe('other_place');
    await copy.database.transaction((tx) => changeSending(tx, by, { isHeld: false, baseUrl }));
    expect(await heldSending(copy.database, baseUrl)).toBeUndefined();
  });
});
