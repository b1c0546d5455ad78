/** The merchant's receiver: takes notifications, checks their signatures, and knows whether a number is missing. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebhookNotification, WebhookRefused } from '../packages/client/src/index.js';
import { type Client, DemoFailed } from './client.js';

interface Received {
  readonly channel: Channel;
  readonly notification: WebhookNotification;
  readonly signature: string;
}

export const channels = ['kyc', 'order'] as const;
export type Channel = (typeof channels)[number];

const patienceMs = 60_000;
const betweenLooksMs = 30;

export class Inbox {
  readonly #received: Received[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #publicKey = '';
  #isForged = false;
  #shown = 0;

  constructor(readonly client: Client) {}

  /** Registers this receiver for both channels. */
  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const urlOf = (channel: Channel) => ({ url: `http://127.0.0.1:${port}/${channel}` });
    const { webhooks } = this.client.remesa;
    this.#publicKey = (await webhooks.get()).keys[0]?.publicKey ?? '';
    await this.client.show(() => webhooks.setKycUrl(urlOf('kyc')), 'none');
    await this.client.show(() => webhooks.setOrderUrl(urlOf('order')), 'none');
  }

  /** Nothing is sent any more to a receiver that is gone. */
  async close(): Promise<void> {
    const { webhooks } = this.client.remesa;
    // The service may be gone. Whatever ended the demo is told, not this.
    await webhooks.deleteKycUrl().catch(() => {});
    await webhooks.deleteOrderUrl().catch(() => {});
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Shows what has arrived since the last time. */
  show(): void {
    for (; this.#shown < this.#received.length; this.#shown += 1) {
      const { notification, signature } = this.#received[this.#shown] as Received;
      const { object, sequence } = aboutSubject(notification);
      this.client.screen.webhook(notification.type, sequence, object.status);
      if (this.#shown === 0) this.#explain(signature);
    }
  }

  #explain(signature: string): void {
    const { screen } = this.client;
    screen.note(`${signature.slice(0, 20)}… signs the id, the time and the body (Ed25519).`, 2);
    screen.note(`It fits the public key ${this.#publicKey.slice(0, 16)}… of GET /merchant/webhook.`, 2);
  }

  /** Waits until a notification of this type about this object came, and shows what came until then. */
  async waitFor(type: string, id: string): Promise<void> {
    const has = () =>
      this.#received.some(
        ({ notification }) => notification.type === type && aboutSubject(notification).object.id === id,
      );
    for (const until = Date.now() + patienceMs; !has(); await this.#wait()) {
      this.show();
      if (Date.now() > until) throw new DemoFailed(`The notification ${type} did not come.`);
    }
    this.show();
  }

  /** The types of what came about this object, in the order of their numbers, each event once. */
  typesOf(channel: Channel, id: string): string[] {
    return this.#distinct(channel)
      .filter((notification) => aboutSubject(notification).object.id === id)
      .map(({ type }) => type);
  }

  /** Throws unless every notification was signed, and every event of the service's own log has arrived. */
  async check(): Promise<{ arrived: number }> {
    if (this.#isForged) throw new DemoFailed('A notification had a wrong signature.');
    let arrived = 0;
    for (const channel of channels) {
      const log = await this.client.remesa.events.list({ channel, limit: 1000 });
      await this.#until(() => this.#distinct(channel).length >= log.length);
      const sequences = this.#distinct(channel).map((notification) => aboutSubject(notification).sequence);
      const expected = log.map((_, index) => index + 1);
      if (sequences.join() !== expected.join())
        throw new DemoFailed(`On the channel ${channel} came ${sequences}, and not ${expected}.`);
      arrived += log.length;
    }
    return { arrived };
  }

  #distinct(channel: Channel): WebhookNotification[] {
    const received = this.#received.filter((each) => each.channel === channel);
    const byId = new Map(received.map(({ notification }) => [notification.id, notification]));
    return [...byId.values()].sort((left, right) => aboutSubject(left).sequence - aboutSubject(right).sequence);
  }

  async #until(holds: () => boolean): Promise<void> {
    for (const until = Date.now() + patienceMs; !holds() && Date.now() < until; ) await this.#wait();
  }

  #wait(): Promise<void> {
    return this.client.screen.wait(betweenLooksMs);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const signed = { body: Buffer.concat(chunks), headers: request.headers };
    const notification = await this.client.remesa.webhooks.unwrap(signed).catch((error) => {
      // The demo has been stopped when the public keys cannot be asked for.
      if (error instanceof WebhookRefused) this.#isForged = true;
    });
    response.writeHead(notification ? 200 : 401).end();
    if (!notification) return;
    const channel = request.url === '/kyc' ? 'kyc' : 'order';
    const signature = String(request.headers['webhook-signature']).split(' ').at(-1) ?? '';
    this.#received.push({ channel, notification, signature });
  }
}

/** What notifications of cases and orders have in common. */
function aboutSubject({ data }: WebhookNotification) {
  return data as { readonly sequence: number; readonly object: { readonly id: string; readonly status: string } };
}
