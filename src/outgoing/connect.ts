/**
 * Opens connections to allowed addresses only. The address is fixed before the first packet, so that a second DNS
 * lookup cannot lead elsewhere. The certificate is still checked against the host name.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type AddressGuard, isSameAddress } from './guard.js';
import { OutgoingError, type OutgoingErrorReason } from './outgoing-error.js';
import type { Target } from './target.js';

export interface ConnectOptions {
  readonly guard: AddressGuard;
  /** The time for the connection and the TLS handshake. The DNS lookup has its own limit. */
  readonly withinMs: number;
  /** CA certificates to trust instead of the usual ones. */
  readonly authorities?: string | undefined;
}

/** Limits the time that a name with many addresses can take. */
const maxAddresses = 4;

/** Throws `OutgoingError` when no allowed address accepts the connection in time. */
export async function openConnection(target: Target, options: ConnectOptions): Promise<Socket> {
  const addresses = await options.guard.vet(target.host);
  const deadline = performance.now() + options.withinMs;
  const socket = await firstThatConnects(addresses.slice(0, maxAddresses), target.port, deadline);
  return target.isTls ? secure(socket, target.host, deadline, options.authorities) : socket;
}

async function firstThatConnects(addresses: readonly string[], port: number, deadline: number): Promise<Socket> {
  const [address, ...otherAddresses] = addresses as [string, ...string[]];
  const remainingMs = deadline - performance.now();
  // An address that drops packets must leave time for the next one.
  const withinMs = otherAddresses.length > 0 ? remainingMs / 2 : remainingMs;
  try {
    return await connectTo(address, port, withinMs);
  } catch (error) {
    if (otherAddresses.length === 0 || isBlocked(error)) throw error;
    return firstThatConnects(otherAddresses, port, deadline);
  }
}

async function connectTo(address: string, port: number, withinMs: number): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true, autoSelectFamily: false });
  await settled(socket, 'connect', withinMs, () => 'connection_failed');
  if (isSameAddress(socket.remoteAddress, address)) return socket;
  socket.destroy();
  throw new OutgoingError('blocked_address');
}

async function secure(
  socket: Socket,
  host: string,
  deadline: number,
  authorities: string | undefined,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED can turn the default off.
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  await settled(secured, 'secureConnect', deadline - performance.now(), handshakeErrorReason);
  return secured;
}

function handshakeErrorReason({ code = '' }: NodeJS.ErrnoException): OutgoingErrorReason {
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ? 'connection_failed' : 'tls_failed';
}

/** Resolves when the event occurs. A socket that fails or takes too long is destroyed. */
function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  withinMs: number,
  reasonOf: (error: NodeJS.ErrnoException) => OutgoingErrorReason,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: OutgoingErrorReason) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new OutgoingError(reason));
    };
    const timer = setTimeout(fail, Math.max(0, withinMs), 'timeout');
    // The listener stays: an error on an idle socket must not end the process.
    socket.on('error', (error) => fail(reasonOf(error)));
    socket.once('close', () => fail('connection_failed'));
    socket.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function isBlocked(error: unknown): boolean {
  return error instanceof OutgoingError && error.reason === 'blocked_address';
}
