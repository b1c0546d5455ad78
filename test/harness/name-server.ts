/** A name server that answers what a test tells it to, by UDP, with nothing that could be kept (TTL 0). */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, SocketAddress } from 'node:net';

/** The addresses of a name, or the name that it stands for; `silence` never answers, `failure` is SERVFAIL. */
export type Records = readonly string[] | { readonly cname: string } | 'silence' | 'failure';

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;

export class NameServer {
  /** Every question, as `A example.com`. */
  readonly questions: string[] = [];
  /** Told each time: what is answered may change from one question to the next. */
  answer: (name: string, type: 'A' | 'AAAA') => Records = () => [];
  readonly #socket: Socket = createSocket('udp4');

  async listen(address: string, port: number): Promise<number> {
    this.#socket.on('message', (message, from) => {
      const reply = this.#replyTo(message);
      if (reply) this.#socket.send(reply, from.port, from.address);
    });
    this.#socket.bind(port, address);
    await once(this.#socket, 'listening');
    return this.#socket.address().port;
  }

  close(): void {
    this.#socket.close();
  }

  #replyTo(message: Buffer): Buffer | undefined {
    const [name, end] = readName(message, 12);
    const typeNumber = message.readUInt16BE(end);
    const type = typeNumber === types.A ? 'A' : 'AAAA';
    this.questions.push(`${type} ${name}`);
    const records = this.answer(name, type);
    if (records === 'silence') return undefined;
    const answers = records === 'failure' ? [] : this.#answersOf(name, type, records);
    const header = Buffer.from(message.subarray(0, 12));
    // An answer, from a server that recurses; 2 is SERVFAIL, 3 says that there is no such name.
    header.writeUInt16BE(0x8180 + (records === 'failure' ? 2 : answers.length === 0 ? 3 : 0), 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    return Buffer.concat([header, message.subarray(12, end + 4), ...answers]);
  }

  #answersOf(name: string, type: 'A' | 'AAAA', records: Exclude<Records, string>): Buffer[] {
    if ('cname' in records) {
      const next = this.answer(records.cname, type);
      const further = typeof next === 'string' ? [] : this.#answersOf(records.cname, type, next);
      return [record(name, types.CNAME, writeName(records.cname)), ...further];
    }
    return records
      .filter((address) => isIP(address) === (type === 'A' ? 4 : 6))
      .map((address) => record(name, types[type], bytesOf(address)));
  }
}

function readName(message: Buffer, from: number): [name: string, end: number] {
  const labels: string[] = [];
  let at = from;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return [labels.join('.').toLowerCase(), at + 1];
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fixed, data]);
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The platform brings it into one form, in which only `::` is left to fill.
  const { address: plain } = new SocketAddress({ address, family: 'ipv6' });
  const dotted = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = dotted.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16)));
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const all = [...front, ...new Array(8 - front.length - back.length).fill(0), ...back];
  return Buffer.from(all.flatMap((group: number) => [group >> 8, group & 255]));
}
