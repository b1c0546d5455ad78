import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { MerchantCalls } from '../../src/commands/as-merchant/calls.js';
import { type FollowedEvent, follow } from '../../src/commands/as-merchant/follower.js';
import { stateFileName } from '../../src/commands/as-merchant/listen.js';
import { isWanted, listenTo } from '../../src/commands/as-merchant/listening.js';
import { showRequests } from '../../src/commands/as-merchant/logs.js';
import { StateFile } from '../../src/commands/as-merchant/state-file.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useReceiver } from '../harness/receiver.js';
import { useRemesa } from '../harness/remesa.js';
import { placed, sender } from '../orders/orders.js';
import { remesaHere } from './remesa.js';

const receiver = useReceiver();
const running = useRemesa({ hasRates: true });

const folder = newFolder();

const event = (sequence: number): FollowedEvent => ({
  ...{
    id: `evt_${sequence}`,
    channel: 'order',
    type: 'order.completed',
    timestamp: '2026-11-15T09:00:00.000Z',
  },
  data: { sequence, object: { id: 'ord_1', status: 'COMPLETED' } },
});
const log = [1, 2, 3, 4, 5].map(event);

it('hands over each event in order, again when the receiver failed, and goes on after a restart where it was', async () => {
  const path = join(folder, 'state.json');
  const taken: number[] = [];
  const run = (takesAtMost: number, failsAt?: number) => {
    const state = new StateFile(path);
    const stopping = new AbortController();
    let failures = 0;
    let count = 0;
    return follow({
      read: async (after) => log.filter(({ data }) => data.sequence > after).slice(0, 2),
      async hand({ data }) {
        if (data.sequence === failsAt && failures === 0) {
          failures += 1;
          throw new Error('the receiver is down');
        }
        taken.push(data.sequence);
        count += 1;
        if (count === takesAtMost) stopping.abort();
      },
      cursor: state.cursorOf('order') ?? 0,
      saveCursor: (sequence) => state.save('order', sequence),
      warn: () => {},
      signal: stopping.signal,
    });
  };
  await run(2, 2);
  expect(taken).toEqual([1, 2]);
  await run(3);
  expect(taken).toEqual([1, 2, 3, 4, 5]);
  expect(new StateFile(path).cursorOf('order')).toBe(5);
  expect(new StateFile(path).secret).toEqual(new StateFile(path).secret);
});

it('forwards real events, signed, and loses none while the receiver is down or over a restart', async () => {
  const state = () => new StateFile(join(folder, 'real.json'));
  const { clientId, clientSecret } = running.acme;
  const printed: string[] = [];
  const listening = () => {
    const stopping = new AbortController();
    const ended = listenTo({
      ...{ calls: new MerchantCalls(running.service.url, { clientId, clientSecret }), channels: ['order'] },
      ...{ forward: `${receiver.url}/hook`, isFromStart: true, state: state(), signal: stopping.signal },
      ...{ print: (line: string) => void printed.push(line), say: () => {} },
    });
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  const user = await sender(running);
  const order = await placed(running, user);
  receiver.behaviour = ({ body }) => ({ kind: 'answer', status: body.includes('CANCELLED') ? 503 : 200 });
  const stop = listening();
  await running.api.post(`/orders/${order.id}/cancel`, { token: running.acme.token });
  await eventually(() => receiver.received.some(({ body }) => body.includes('CANCELLED')), { what: 'a try' });
  await stop();
  expect(printed).toHaveLength(1);
  receiver.behaviour = { kind: 'answer', status: 200 };
  const stopAgain = listening();
  await eventually(() => printed.length === 2, { what: 'the event that was not taken' });
  await stopAgain();
  expect(printed[1]).toContain(`order.cancelled`);
  const webhook = new Webhook(state().secret.toString('base64'));
  for (const { headers, body } of receiver.received) {
    expect(webhook.verify(body, headers as Record<string, string>)).toMatchObject({
      data: { object: { id: order.id } },
    });
  }
});

it('each service has a file of its own, and a place beyond its newest event is refused with what to do', async () => {
  const names = ['http://127.0.0.1:3000', 'http://127.0.0.1:4000'].map((url) => stateFileName(url, 'demo'));
  expect(new Set(names).size).toBe(2);
  const path = join(folder, 'beyond.json');
  new StateFile(path).save('order', 1_000_000);
  const { clientId, clientSecret } = running.acme;
  const ended = listenTo({
    calls: new MerchantCalls(running.service.url, { clientId, clientSecret }),
    channels: ['order'],
    forward: undefined,
    isFromStart: false,
    state: new StateFile(path),
    print: () => {},
    say: () => {},
    signal: AbortSignal.timeout(5_000),
  });
  await expect(ended).rejects.toThrow(/event 1000000 of the channel order .* Remove the file/);
});

it('a filter takes a type or the beginning of one', () => {
  const wanted = (...patterns: string[]) =>
    ['order.completed', 'order.cancelled', 'kyc.approved'].filter((type) => isWanted(type, patterns));
  expect(wanted('order.completed')).toEqual(['order.completed']);
  expect(wanted('order.*', 'kyc.approved')).toEqual(['order.completed', 'order.cancelled', 'kyc.approved']);
  expect(isWanted('kyc.approved', undefined)).toBe(true);
});

it('a shell completes commands and options', async () => {
  const { stdout } = await remesaHere({}, 'completion', 'bash');
  const complete = (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _remesa; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
  };
  expect(complete('remesa', 'ev')).toBe('events');
  expect(complete('remesa', 'events', '')).toContain('list show resend');
  expect(complete('remesa', 'events', 'list', '--ch')).toBe('--channel');
});

it('a scenario is played from the command line, step by step, and what it told the merchant is shown and sent again', async () => {
  const { clientId, clientSecret } = running.rival;
  const asRival = ['--url', running.service.url, '--client-id', clientId, '--client-secret', clientSecret];
  const run = (...args: string[]) => remesaHere({}, ...args, ...asRival);
  expect((await run('trigger')).stdout).toMatch(/^cancelled_before_payment +The sender cancels/m);
  const body = { url: `${receiver.url}/again` };
  await running.api.post('/merchant/webhook/order-notification', { token: running.rival.token, body });
  const played = await run('trigger', 'cancelled_before_payment', '--json');
  const { orderId, status, stepsDone, stepsInAll } = JSON.parse(played.stdout);
  expect([played.code, status, stepsDone]).toEqual([0, 'CANCELLED', stepsInAll]);
  expect(played.stderr).toContain(`${stepsInAll - 1}/${stepsInAll}  The sender cancels`);

  const listed = JSON.parse((await run('events', 'list', '--last', '2', '--json')).stdout);
  expect(listed.map((each: FollowedEvent) => [each.type, each.data.object?.id])).toEqual([
    ['order.awaiting_payment', orderId],
    ['order.cancelled', orderId],
  ]);
  const { id } = listed[1];
  const arrivals = () =>
    receiver.received.filter(({ path, body: sent }) => path === '/again' && sent.includes('CANCELLED'));
  await eventually(() => arrivals().length === 1, { what: 'the notification' });
  expect((await run('events', 'resend', id)).stderr).toContain(`${id} is sent again.`);
  await eventually(() => arrivals().length === 2, { what: 'the notification again' });
  await eventually(async () => /delivered/.test((await run('events', 'show', id)).stdout), { what: 'the attempt' });
});

it('the last requests are shown, and new ones as they come, each once', async () => {
  const { clientId, clientSecret, token } = running.rival;
  const asRival = ['--url', running.service.url, '--client-id', clientId, '--client-secret', clientSecret];
  await running.api.get('/orders/ord_nothing?userId=1', { token, headers: { 'x-request-id': 'seen-before' } });
  const run = () => remesaHere({}, 'logs', '--status', '4xx', ...asRival);
  const line = await eventually(async () => /^.*seen-before$/m.exec((await run()).stdout)?.[0], {
    what: 'the request',
  });
  expect(line).toMatch(/^\S+Z {2}404 {2}GET {5}\/orders\/\{id\} {2}[\d.]+ ms {2}user_not_found {2}seen-before$/);
  const stopping = new AbortController();
  const printed: string[] = [];
  const following = showRequests(
    { status: '4xx', last: 1, follow: true, json: true },
    {
      calls: new MerchantCalls(running.service.url, { clientId, clientSecret }),
      print: (text) => void printed.push(JSON.parse(text).requestId),
      say: () => {},
      signal: stopping.signal,
    },
  );
  await eventually(() => printed.length === 1, { what: 'the last request' });
  for (const id of ['new-1', 'new-2']) {
    await running.api.get('/orders/ord_nothing?userId=1', { token, headers: { 'x-request-id': id } });
  }
  await eventually(() => printed.includes('new-2'), { what: 'the new requests' });
  stopping.abort();
  await following;
  expect(printed.slice(-2)).toEqual(['new-1', 'new-2']);
  expect(new Set(printed).size).toBe(printed.length);
});

it('a command line that is wrong says what is wrong, and what to do', async () => {
  const { clientId, clientSecret } = running.rival;
  const run = (...args: string[]) => remesaHere({}, ...args, '--client-id', clientId, '--client-secret', clientSecret);
  const at = ['--url', running.service.url];
  const unknown = await run('trigger', 'nothing', ...at);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('`remesa trigger` lists them')]);
  expect((await run('events', 'resend', 'evt_nothing', ...at)).stderr).toContain('event_not_found');
  expect((await run('trigger', '--url', 'http://127.0.0.1:9')).stderr).toContain('Nothing answers at');
});
