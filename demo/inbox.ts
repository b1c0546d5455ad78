/** The merchant's receiver: takes notifications, checks their signatures, and knows whether a number is missing. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, DemoFailed, type Json } from './client.js';

export interface Notification {
  readonly id: string;
  readonly channel: Channel;
  readonly type: string;
  readonly timestamp: string;
  readonly object: Json;
  readonly sequence: number;
  readonly signature: string;
}

export const channels = ['kyc', 'order'] as const;
export type Channel = (typeof channels)[number];

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const patienceMs = 60_000;
const betweenLooksMs = 30;

export class Inbox {
  readonly notifications: Notification[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #key: KeyObject | undefined;
  #keyText = '';
  #isForged = false;
  #shown = 0;

  constructor(readonly client: Client) {}

  /** Registers this receiver for both channels. */
  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const registered = await this.client.get('/merchant/webhook', { isSilent: true });
    this.#keyText = registered.keys[0].publicKey;
    this.#key = publicKeyOf(this.#keyText);
    const { port } = this.#server.address() as AddressInfo;
    for (const channel of channels) {
      await this.client.post(pathOf(channel), { url: `http://127.0.0.1:${port}/${channel}` }, { show: 'none' });
    }
  }

  /** Nothing is sent any more to a receiver that is gone. */
  async close(): Promise<void> {
    for (const channel of channels) {
      // The service may be gone. Whatever ended the demo is told, not this.
      await this.client.delete(pathOf(channel), { isSilent: true, isLast: true }).catch(() => {});
    }
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Shows what has arrived since the last time. */
  show(): void {
    for (; this.#shown < this.notifications.length; this.#shown += 1) {
      const { type, sequence, object, signature } = this.notifications[this.#shown] as Notification;
      this.client.screen.webhook(type, sequence, object.status);
      if (this.#shown === 0) this.#explain(signature);
    }
  }

  #explain(signature: string): void {
    const { screen } = this.client;
    screen.note(`${signature.slice(0, 20)}… signs the id, the time and the body (Ed25519).`, 2);
    screen.note(`It fits the public key ${this.#keyText.slice(0, 16)}… of GET /merchant/webhook.`, 2);
  }

  /** Waits until a notification of this type about this object came, and shows what came until then. */
  async waitFor(type: string, id: string): Promise<void> {
    const has = () => this.notifications.some((came) => came.type === type && came.object.id === id);
    for (const until = Date.now() + patienceMs; !has(); await this.#wait()) {
      this.show();
      if (Date.now() > until) throw new DemoFailed(`The notification ${type} did not come.`);
    }
    this.show();
  }

  /** The types of what came about this object, in the order of their numbers, each event once. */
  typesOf(channel: Channel, id: string): string[] {
    return this.#distinct(channel)
      .filter(({ object }) => object.id === id)
      .map(({ type }) => type);
  }

  /** Throws unless every notification was signed, and every event of the service's own log has arrived. */
  async check(): Promise<{ arrived: number }> {
    if (this.#isForged) throw new DemoFailed('A notification had a wrong signature.');
    let arrived = 0;
    for (const channel of channels) {
      const log = await this.#log(channel);
      await this.#until(() => this.#distinct(channel).length >= log.length);
      const sequences = this.#distinct(channel).map(({ sequence }) => sequence);
      const expected = log.map((_, index) => index + 1);
      if (sequences.join() !== expected.join())
        throw new DemoFailed(`On the channel ${channel} came ${sequences}, and not ${expected}.`);
      arrived += log.length;
    }
    return { arrived };
  }

  #distinct(channel: Channel): Notification[] {
    const byId = new Map(this.notifications.filter((came) => came.channel === channel).map((came) => [came.id, came]));
    return [...byId.values()].sort((left, right) => left.sequence - right.sequence);
  }

  async #until(holds: () => boolean): Promise<void> {
    for (const until = Date.now() + patienceMs; !holds() && Date.now() < until; ) await this.#wait();
  }

  #wait(): Promise<void> {
    return this.client.screen.wait(betweenLooksMs);
  }

  async #log(channel: Channel): Promise<Json[]> {
    return this.client.get(`/events?channel=${channel}&limit=1000`, { isSilent: true });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const signature = this.#key && fittingSignature(this.#key, request.headers, body);
    response.writeHead(signature === undefined ? 401 : 200).end();
    if (signature === undefined) {
      this.#isForged = true;
      return;
    }
    const { type, timestamp, data } = JSON.parse(body.toString()) as Json;
    const channel = request.url === '/kyc' ? 'kyc' : 'order';
    const id = String(request.headers['webhook-id']);
    const { object, sequence } = data;
    this.notifications.push({ id, channel, type, timestamp, object, sequence, signature });
  }
}

/** Standard Webhooks, `v1a`: Ed25519 over the id, the time and the body. Undefined when none fits. */
function fittingSignature(key: KeyObject, headers: IncomingMessage['headers'], body: Buffer): string | undefined {
  const head = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .find((signature) => verify(null, Buffer.concat([head, body]), key, Buffer.from(signature.slice(4), 'base64')));
}

function publicKeyOf(written: string): KeyObject {
  const raw = Buffer.from(written.slice('whpk_'.length), 'base64');
  return createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
}

function pathOf(channel: Channel): string {
  return `/merchant/webhook/${channel}-notification`;
}
