/** Over TLS the name decides, not the address: whose certificate it is, who signed it, and until when. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { AddressGuard } from '../../src/outgoing/guard.js';
import { selfSigned, TestAuthority } from '../outgoing/certificates.js';
import { answerText, onRequest, useRawServers } from '../outgoing/raw-server.js';
import { expectAnswered, expectFailed, useSenders } from './sending.js';

const serve = useRawServers();
const sender = useSenders();
const authority = new TestAuthority('Authority of the tests');
const stranger = new TestAuthority('Untrusted authority');

const name = 'receiver.example';
const toHere = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] }, async () => ['127.0.0.1']);
const options = { guard: toHere, authorities: authority.pem };
const answers = (socket: Socket) => onRequest(socket, () => socket.write(answerText('thanks')));

describe('a receiver with a certificate', () => {
  it('is believed when the certificate has its name; name and protocol are told to it, and the connection is kept', async () => {
    let asked: unknown[] = [];
    const server = await serve(
      (socket) => {
        const { servername, alpnProtocol } = socket as TLSSocket & { servername: string };
        asked = [servername, alpnProtocol];
        answers(socket);
      },
      { ...authority.issue({ names: [`DNS:${name}`] }), ALPNProtocols: ['h2', 'http/1.1'] },
    );
    const { send } = sender(`https://${name}:${server.port}/hooks`, options);
    for (let round = 0; round < 5; round += 1) expectAnswered(await send(), 200);
    expect(asked).toEqual([name, 'http/1.1']);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toContain(`host: ${name}:${server.port}\r\n`);
  });

  it('is believed when the certificate has its address, where an address was registered', async () => {
    const server = await serve(answers, authority.issue({ names: ['IP:127.0.0.1'] }));
    expectAnswered(await sender(`https://127.0.0.1:${server.port}/`, options).send(), 200);
  });

  it.each([
    ['for another name', authority.issue({ names: ['DNS:other.example'] })],
    ['for the name above it', authority.issue({ names: ['DNS:example'] })],
    ['for its address only', authority.issue({ names: ['IP:127.0.0.1'] })],
    ['that has expired', authority.issue({ names: [`DNS:${name}`], validDays: [-10, -1] })],
    ['that is not valid yet', authority.issue({ names: [`DNS:${name}`], validDays: [1, 10] })],
    ['that it signed itself', selfSigned({ names: [`DNS:${name}`] })],
    ['of an authority that is not trusted', stranger.issue({ names: [`DNS:${name}`] })],
  ])('%s is refused before anything is sent', async (_what, certificate) => {
    const server = await serve(answers, certificate);
    expectFailed(await sender(`https://${name}:${server.port}/`, options).send(), 'tls_failed');
    expect(server.received.join('')).toBe('');
    await server.expectNoConnection();
  });

  it('is refused by the usual authorities when the certificate is of our own making', async () => {
    const server = await serve(answers, authority.issue({ names: [`DNS:${name}`] }));
    expectFailed(await sender(`https://${name}:${server.port}/`, { guard: toHere }).send(), 'tls_failed');
  });

  it('is refused when it speaks an old version only', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const server = await serve(answers, { ...authority.issue({ names: [`DNS:${name}`] }), ...old });
    expectFailed(await sender(`https://${name}:${server.port}/`, options).send(), 'tls_failed');
  });

  it('has failed us as a connection when it breaks off in the handshake', async () => {
    const server = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expectFailed(await sender(`https://${name}:${server.port}/`, options).send(), 'connection_failed');
  });

  it('pours without end like any other: its status counts, and the connection is given up', async () => {
    const server = await serve(
      (socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write('x'.repeat(16_384)));
          if (!socket.destroyed) socket.once('drain', more);
        };
        onRequest(socket, () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          more();
        });
      },
      authority.issue({ names: [`DNS:${name}`] }),
    );
    expectAnswered(await sender(`https://${name}:${server.port}/`, options).send(), 200);
    await server.expectNoConnection();
  });
});

describe('the environment', () => {
  const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
  afterEach(() => {
    delete process.env[variable];
  });

  it('cannot turn the check of certificates off', async () => {
    process.env[variable] = '0';
    const server = await serve(answers, selfSigned({ names: [`DNS:${name}`] }));
    expectFailed(await sender(`https://${name}:${server.port}/`, options).send(), 'tls_failed');
  });
});
