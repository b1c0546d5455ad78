/**
 * Receivers that are slow, endless, lying or no receivers at all: every attempt ends, with a word for what happened,
 * and nothing of it is left behind.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../harness/rounds.js';
import { answerText, onRequest, useRawServers } from '../outgoing/raw-server.js';
import { expectAnswered, expectFailed, useSenders } from './sending.js';

const serve = useRawServers();
const sender = useSenders();

/** Each short by itself, so that a test need not wait; the others so long that it would, if that one did not hold. */
const ages = { wholeMs: 600_000, connectMs: 600_000, headMs: 600_000, bodyMs: 600_000 };
const hasty = {
  whole: { limits: { ...ages, wholeMs: 300 } },
  connect: { limits: { ...ages, connectMs: 200 } },
  head: { limits: { ...ages, headMs: 200 } },
  body: { limits: { ...ages, bodyMs: 200 } },
};

type Trick = (socket: Socket) => void;

const answersWith =
  (...pieces: (string | Buffer)[]): Trick =>
  (socket) =>
    onRequest(socket, () => {
      for (const piece of pieces) socket.write(piece);
    });

/** Without an end, as fast as it is taken. */
function pours(first: string, chunk: string): Trick {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', more);
    };
    onRequest(socket, () => {
      socket.write(first);
      more();
    });
  };
}

function drips(first: string, drop: string): Trick {
  return (socket) =>
    onRequest(socket, () => {
      socket.write(first);
      const timer = setInterval(() => socket.write(drop), 5);
      socket.once('close', () => clearInterval(timer));
    });
}

const head200 = 'HTTP/1.1 200 OK\r\n';
const longAnswer = `${head200}content-length: 10000000000\r\n\r\n`;
const chunked = `${head200}transfer-encoding: chunked\r\n\r\n`;

describe('a slow receiver', () => {
  it.each<[string, Trick]>([
    ['takes the request and never answers', () => {}],
    ['sends its head byte by byte', drips(head200, 'x')],
    ['sends a header without end, slowly', drips(`${head200}a: `, 'x')],
    ['sends one interim answer after the other', drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('%s: the attempt ends in time, and so does the connection', async (_what, trick) => {
    const server = await serve(trick);
    expectFailed(await sender(`http://127.0.0.1:${server.port}/`, hasty.head).send(), 'timeout');
    await server.expectNoConnection();
  });

  it.each<[string, Trick]>([
    ['announces a body and sends none of it', answersWith(longAnswer)],
    ['drips its body', drips(longAnswer, 'x')],
    ['drips its chunks', drips(chunked, '1\r\nx\r\n')],
    ['drips an unchunked body', drips(`${head200}\r\n`, 'x')],
  ])('%s: its status counts, and the connection is given up', async (_what, trick) => {
    const server = await serve(trick);
    expectAnswered(await sender(`http://127.0.0.1:${server.port}/`, hasty.body).send(), 200);
    await server.expectNoConnection();
  });

  it('cannot make an attempt take longer than the limit for the whole of it', async () => {
    const server = await serve(drips(head200, 'x'));
    expectFailed(await sender(`http://127.0.0.1:${server.port}/`, hasty.whole).send(), 'timeout');
    await server.expectNoConnection();
  });

  it('that never finishes the handshake is given up', async () => {
    const server = await serve(() => {});
    expectFailed(await sender(`https://127.0.0.1:${server.port}/`, hasty.connect).send(), 'timeout');
    await server.expectNoConnection();
  });

  it('that drips its handshake is given up', async () => {
    const server = await serve((socket) => {
      const timer = setInterval(() => socket.write(Buffer.of(22)), 5);
      socket.once('close', () => clearInterval(timer));
    });
    const result = await sender(`https://127.0.0.1:${server.port}/`, hasty.connect).send();
    expect(result).toMatchObject({ kind: 'failed' });
    await server.expectNoConnection();
  });
});

describe('a receiver of endless words', () => {
  const piece = 'x'.repeat(16_384);

  it.each<[string, Trick]>([
    ['a body without end', pours(`${head200}\r\n`, piece)],
    ['a body of 10 GB', pours(longAnswer, piece)],
    ['one chunk without end', pours(`${chunked}ffffffff\r\n`, piece)],
    ['many chunks without end', pours(chunked, '1\r\nx\r\n'.repeat(1000))],
    ['an extension of a chunk without end', pours(`${chunked}1;a=`, piece)],
    ['trailers without end', pours(`${chunked}0\r\n`, 'a: b\r\n'.repeat(1000))],
    ['a trailer without end', pours(`${chunked}0\r\na: `, piece)],
  ])('%s: its status counts, and the connection is given up', async (_what, trick) => {
    const server = await serve(trick);
    expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 200);
    await server.expectNoConnection();
  });

  it.each<[string, Trick]>([
    ['a header of 1 MB', answersWith(`${head200}a: ${'x'.repeat(1_000_000)}\r\n\r\n`)],
    ['1 MB of headers', answersWith(`${head200}${'a: b\r\n'.repeat(170_000)}\r\n`)],
    ['a header without end', pours(`${head200}a: `, piece)],
    ['headers without end', pours(head200, 'a: b\r\n'.repeat(1000))],
    ['a name of a header without end', pours(head200, piece)],
    ['a reason without end', pours('HTTP/1.1 200 ', piece)],
    ['interim answers without end', pours('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000))],
    ['empty lines without end', pours('', '\r\n'.repeat(1000))],
  ])('%s: there is no answer, and no connection', async (_what, trick) => {
    const server = await serve(trick);
    expectFailed(await sender(`http://127.0.0.1:${server.port}/`).send(), 'protocol_error');
    await server.expectNoConnection();
  });

  it('a body that would unpack to 100 MB is not unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000));
    const server = await serve(
      answersWith(`${head200}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`, packed),
    );
    const start = expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 200);
    expect(start).toBe(packed.toString('latin1').slice(0, 1024));
    expect(server.received[0]).not.toContain('accept-encoding');
  });
});

describe('a receiver that breaks off', () => {
  const closes: Trick = (socket) => onRequest(socket, () => socket.end());
  const resets: Trick = (socket) => onRequest(socket, () => socket.resetAndDestroy());
  const endsAfter =
    (text: string): Trick =>
    (socket) =>
      onRequest(socket, () => socket.end(text));

  it.each<[string, Trick]>([
    ['at once', (socket) => socket.destroy()],
    ['with a reset at once', (socket) => socket.resetAndDestroy()],
    ['after the request', closes],
    ['with a reset after the request', resets],
    ['in the status line', endsAfter('HTTP/1.1 20')],
    ['in the headers', endsAfter(`${head200}content-le`)],
  ])('%s: the connection failed', async (_what, trick) => {
    const server = await serve(trick);
    expectFailed(await sender(`http://127.0.0.1:${server.port}/`).send(), 'connection_failed');
  });

  it.each<[string, Trick]>([
    ['in the body', endsAfter(`${head200}content-length: 10\r\n\r\nhalf`)],
    ['in a chunk', endsAfter(`${chunked}a\r\nhalf`)],
    ['where nothing says how long it is', endsAfter(`${head200}\r\nhalf`)],
  ])('%s: its status counts', async (_what, trick) => {
    const server = await serve(trick);
    expect(expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), 200)).toBe('half');
  });

  it('where nobody listens', async () => {
    const server = await serve(() => {});
    const url = `http://127.0.0.1:${server.port}/`;
    await server.close();
    expectFailed(await sender(url).send(), 'connection_failed');
  });
});

describe('a receiver that does not speak HTTP', () => {
  it.each([
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['SMTP', '220 mail.example.com ESMTP\r\n'],
    ['TLS', Buffer.from('15030300020228', 'hex')],
    ['HTTP/2', Buffer.from('00000604000000000000040000ffff', 'hex')],
    ['zeros', Buffer.alloc(1000)],
    ['a status without a number', 'HTTP/1.1 abc\r\n\r\n'],
    ['a version without a number', 'HTTP/x.y 200 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 99 OK\r\n\r\n'],
    ['a status below all', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['another protocol, unasked', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['to go on, unasked', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['two lengths', `${head200}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a length that is none', `${head200}content-length: -1\r\n\r\n`],
    ['a length that is too large to count', `${head200}content-length: ${'9'.repeat(30)}\r\n\r\n`],
    ['a header with a zero byte', `${head200}a: \0\r\n\r\n`],
    ['a header without a name', `${head200}: b\r\n\r\n`],
  ])('%s: that is told, and the connection is closed', async (_what, text) => {
    const server = await serve(answersWith(text));
    expectFailed(await sender(`http://127.0.0.1:${server.port}/`).send(), 'protocol_error');
    await server.expectNoConnection();
  });

  it('and where TLS is asked for, speaks plain HTTP', async () => {
    const server = await serve((socket) => socket.end(answerText('hello')));
    expectFailed(await sender(`https://127.0.0.1:${server.port}/`).send(), 'tls_failed');
  });
});

describe('an answer too many', () => {
  it.each([
    ['at once', answerText('one') + answerText('two', 'HTTP/1.1 500 Oh')],
    ['with garbage', `${answerText('one')}garbage`],
    ['longer than announced', `${head200}content-length: 3\r\n\r\none and more`],
  ])('is never taken for the answer to another request: %s', async (_what, text) => {
    const server = await serve((socket, connectionNo) =>
      onRequest(socket, () => socket.write(connectionNo === 0 ? text : answerText('right'))),
    );
    const { send } = sender(`http://127.0.0.1:${server.port}/`);
    expect(expectAnswered(await send(), 200)).toBe('one');
    expect(expectAnswered(await send(), 200)).toBe('right');
    expect(server.received).toHaveLength(2);
  });
});

describe('a redirect', () => {
  const codes = [301, 302, 303, 307, 308, 200, 201];

  it.each(codes)('with %i is an answer like any other: nobody else is asked', async (status) => {
    const target = await serve(answersWith(answerText('secret')));
    const to = `http://127.0.0.1:${target.port}/`;
    const head = `HTTP/1.1 ${status} X\r\nlocation: ${to}\r\nrefresh: 0; url=${to}`;
    const server = await serve(answersWith(answerText('', head)));
    expectAnswered(await sender(`http://127.0.0.1:${server.port}/`).send(), status);
    expect(target.received).toEqual([]);
  });
});

describe('whatever comes back', () => {
  const part = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('HTTP/1.1', 'HTTP/1.0', ' ', '200', '204', '304', '100', '101', '103'),
    },
    {
      weight: 6,
      arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n', ':', ';', '0', '5\r\nhello\r\n', '0\r\n'),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        head200,
        'content-length: 5\r\n',
        'content-length: 0\r\n',
        'transfer-encoding: chunked\r\n',
        'connection: close\r\n',
        'connection: upgrade\r\nupgrade: websocket\r\n',
        'keep-alive: timeout=0\r\n',
        answerText('whole'),
      ),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  );
  const connection = fc.record({
    parts: fc
      .tuple(fc.constantFrom('', head200, chunked, longAnswer, answerText('whole')), fc.array(part, { maxLength: 10 }))
      .map(([first, others]) => [first, ...others]),
    end: fc.constantFrom('stays', 'ends', 'resets'),
    /** Some answer before they are asked. */
    isEarly: fc.boolean(),
  });

  interface Script {
    readonly parts: readonly string[];
    readonly end: string;
    readonly isEarly: boolean;
  }

  async function play(socket: Socket, { parts, end }: Script): Promise<void> {
    for (const text of parts) {
      socket.write(text);
      await new Promise(setImmediate);
    }
    if (end === 'ends') socket.end();
    if (end === 'resets') socket.resetAndDestroy();
  }

  it('every attempt has a result and the process lives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { minLength: 1, maxLength: 4 }), async (connections) => {
        const server = await serve((socket, connectionNo) => {
          const script = connections[connectionNo % connections.length] as Script;
          if (script.isEarly) play(socket, script).catch(() => {});
          else onRequest(socket, () => void play(socket, script).catch(() => {}));
        });
        const quick = { wholeMs: 100, connectMs: 60, headMs: 60, bodyMs: 30 };
        const { client, send } = sender(`http://127.0.0.1:${server.port}/`, { limits: quick, lanes: 2 });
        const results = [...(await Promise.all([send(), send()])), await send(), await send()];
        await client.close();
        expect(results.map(({ kind }) => kind).filter((kind) => !/^(answered|failed)$/.test(kind))).toEqual([]);
        await server.expectNoConnection();
      }),
      { numRuns: rounds(40, 2000) },
    );
  }, 600_000);
});
