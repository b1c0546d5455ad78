/** A client of GET /merchant/users that reads as slowly as a test needs. */
import { type IncomingMessage, request } from 'node:http';
import type pg from 'pg';

export interface ListingAsk {
  readonly url: string;
  readonly token: string;
  readonly query?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resolves when the headers have arrived, before the body is read. */
export function openListing(ask: ListingAsk): Promise<IncomingMessage> {
  const { url, token, query = '', method = 'GET', headers = {} } = ask;
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/merchant/users${query}`, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    asking.on('error', reject).on('response', resolve).end();
  });
}

export interface Received {
  readonly bytes: Buffer;
  /** Undefined when the answer was complete. */
  readonly error: string | undefined;
}

export async function readListing(
  response: IncomingMessage,
  onChunk: () => Promise<unknown> = async () => {},
): Promise<Received> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      await onChunk();
    }
    return { bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

/** Inserts users whose profiles cannot be opened; they can only be listed, with 250 bytes or more each. */
export async function fillUsers(sql: pg.Pool, merchant: number, number: number): Promise<void> {
  await sql.query(
    `INSERT INTO users (merchant_id, user_id, external_client_id, profile)
     SELECT $1::bigint, n, 'cli_' || lpad($1::bigint || 'X' || n, 220, '0'), '\\x00' FROM generate_series(1, $2::int) AS n`,
    [merchant, number],
  );
}
