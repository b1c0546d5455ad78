/** What operators are told by mail: each task once, with the mail server of the test. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mailTransportOf } from '../../src/providers/mail/transports.js';
import { mailOf } from '../../src/tasks/telling.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';

/** Says what a mail server says, and keeps the messages. `refuses`: how many messages it does not accept. */
class MailServer {
  readonly messages: string[] = [];
  refuses = 0;
  readonly #server: Server = createServer((socket) => this.#talk(socket));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }

  #talk(socket: Socket): void {
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    let [text, isData] = ['', false];
    socket.on('data', (data) => {
      text += data;
      for (
        let end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        end >= 0;
        end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      ) {
        const part = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        socket.write(this.#answer(part, isData));
        isData = !isData && part === 'DATA';
      }
    });
  }

  #answer(part: string, isData: boolean): string {
    if (!isData) return part === 'DATA' ? '354 go on\r\n' : '250 ok\r\n';
    if (this.refuses > 0) {
      this.refuses -= 1;
      return '451 try again\r\n';
    }
    this.messages.push(part);
    return '250 kept\r\n';
  }
}

const server = new MailServer();
const smtpUrl = await server.start();
afterAll(() => server.stop());

describe('with a mail server', () => {
  const remesa = useRemesa({
    settings: {
      ...{ SMTP_URL: smtpUrl, MAIL_FROM: 'remesa@example.com', MAIL_OPERATORS: 'ops@example.com,night@example.com' },
      FOUR_EYES: 'all',
    },
  });
  const ask = (login: string) =>
    remesa.api.post('/operator/operators', {
      token: remesa.admin,
      body: { login, role: 'viewer' },
      headers: { 'idempotency-key': login },
    });
  const mails = async () => (await remesa.api.get('/operator/mails', { token: remesa.viewer })).json;
  /** The job runs every minute; the test does not wait for it. */
  const wake = () =>
    remesa.service.database.transaction(async (tx) => {
      tx.wake('tasks.tell-operators');
    });

  it('operators are told once of a request for approval, without its content, and the message says that a program wrote it', async () => {
    expect((await ask('new-one')).status).toBe(202);
    await wake();
    const message = await eventually(() => server.messages[0], { withinMs: 20_000, what: 'a mail' });
    expect(message).toContain('From: remesa@example.com\r\n');
    expect(message).toContain('To: ops@example.com, night@example.com\r\n');
    expect(message).toContain('Subject: Remesa: 1 task waits for you\r\n');
    expect(message).toContain('Auto-Submitted: auto-generated\r\n');
    expect(message).not.toContain('new-one');
    const [mail] = await eventually(async () => ((await mails())[0]?.state === 'sent' ? mails() : undefined));
    expect(message).toContain(`Message-ID: <${mail.mailId}@example.com>\r\n`);
    await wake();
    expect((await ask('another-one')).status).toBe(202);
    await wake();
    await eventually(() => server.messages.length === 2, {
      withinMs: 20_000,
      what: 'the mail about the second request',
    });
    expect(await mails()).toHaveLength(2);
  });

  it('a mail that is not accepted is tried again, and says why meanwhile', async () => {
    server.refuses = 1;
    expect((await ask('third-one')).status).toBe(202);
    await wake();
    const failed = await eventually(
      async () => (await mails()).find((mail: { lastError?: string }) => mail.lastError),
      {
        withinMs: 20_000,
      },
    );
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, lastError: expect.stringContaining('451') });
    await remesa.sql.query("UPDATE mails SET due_at = statement_timestamp() WHERE state = 'pending'");
    await remesa.service.database.transaction(async (tx) => {
      tx.wake('mail.send');
    });
    await eventually(() => server.messages.length === 3, { withinMs: 40_000, what: 'the mail at the second try' });
  });
});

describe('without a mail server', () => {
  const settings = { smtpUrl: undefined, mailFrom: '', mailOperators: [] };

  it('a sandbox writes mails into files that a mail program opens', async () => {
    const dataDirectory = newFolder();
    const transport = mailTransportOf({ ...settings, mode: 'sandbox', dataDirectory });
    const createdAt = new Date('2026-11-19T10:00:00Z');
    await transport?.send({ mailId: 'm-1', subject: 'Remesa: ü', content: 'A line.\n', createdAt });
    const [file = ''] = readdirSync(join(dataDirectory, 'mail'));
    expect(file).toBe('2026-11-19T10-00-00.000Z-m-1.eml');
    const text = readFileSync(join(dataDirectory, 'mail', file), 'utf8');
    expect(text).toContain('Message-ID: <m-1@localhost>');
    expect(text).toContain('A line.');
  });

  it('a live instance has no mails', () => {
    expect(mailTransportOf({ ...settings, mode: 'live', dataDirectory: '/nowhere' })).toBeUndefined();
  });
});

it('a mail lists at most fifty tasks, with when they are due and where they are', () => {
  const task = {
    id: 'a',
    kind: 'suspense',
    merchantId: undefined,
    sinceMicros: 0n,
    summary: 'Money waits.',
    path: '/operator/suspense',
  } as const;
  const { subject, content } = mailOf(
    Array.from({ length: 60 }, () => task),
    new Date('2026-11-19T10:00:00Z'),
    'https://pay.example.com',
  );
  expect(subject).toBe('Remesa: 60 tasks wait for you');
  expect(content).toContain(
    '- suspense: Money waits. (overdue since 1970-01-04T00:00:00.000Z)\n  https://pay.example.com/console/suspense\n',
  );
  expect(content.match(/^- /gm)).toHaveLength(50);
  expect(content).toContain('… and 10 more.');
});
