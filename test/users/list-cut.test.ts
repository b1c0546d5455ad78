/** A listing whose reader stops reading or disconnects, or whose database is lost. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/postgres/database.js';
import type { Queryable, Statement, ValuesOf } from '../../src/postgres/statement.js';
import { userRoutes } from '../../src/users/routes.js';
import { tokenOf } from '../harness/access.js';
import { useBareServer } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';
import { FaultProxy } from '../harness/proxy.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type Merchant, merchantWithToken } from '../harness/users.js';
import { openSocket } from '../http/raw-socket.js';
import { fillUsers, openListing, readListing } from './listing.js';

const testDatabase = useTestDatabase();
const { sql } = testDatabase;
/** More than all buffers between server and client hold. */
const number = 100_000;
const running = useService(testDatabase);
let crowd: Merchant;

beforeAll(async () => {
  crowd = await merchantWithToken(running, 'crowd');
  await fillUsers(sql, crowd.merchant, number);
}, 120_000);

class Counted implements Queryable {
  pages = 0;
  constructor(readonly inner: Queryable) {}
  query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    this.pages += 1;
    return this.inner.query(statement, ...values);
  }
}

/**
 * The same routes on another server, whose queries are counted. It cuts off a reader that reads nothing for `stallMs`.
 */
function useListings(stallMs: number) {
  const counted = new Counted(testDatabase.database.bulk);
  const bare = useBareServer({
    routes: userRoutes(undefined as never, undefined as never),
    edge: { database: { bulk: counted } as unknown as Database },
    bounds: { stallMs, streams: 20, streamsOfCaller: 12 },
  });
  return {
    counted,
    shedder: bare.shedder,
    streams: bare.server.traffic.streams,
    get url() {
      return bare.url;
    },
  };
}

describe('a reader', () => {
  const listings = useListings(60_000);
  const { counted, shedder, streams } = listings;
  const impatient = useListings(2_000);

  const token = () => `merchant-${crowd.merchant}`;
  const requestText = () => `GET /merchant/users HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token()}\r\n\r\n`;
  const pagesOfAll = number / 1000 + 1;

  it('gets the whole list, page by page', async () => {
    counted.pages = 0;
    const { bytes, error } = await readListing(await openListing({ url: listings.url, token: token() }));
    expect(error).toBeUndefined();
    expect(bytes.subarray(-3).toString()).toBe('"}]');
    expect(counted.pages).toBe(pagesOfAll);
  });

  it('is cut off when it stops reading, and no more pages are loaded', async () => {
    const socket = openSocket(impatient.url);
    socket.write(requestText());
    let seen = '';
    while (!/\r\n\r\n[\s\S]*\[/.test(seen)) {
      await once(socket, 'readable');
      seen += socket.read() ?? '';
    }
    expect(seen).toContain('200 OK');
    await eventually(() => impatient.streams.size === 0, { withinMs: 15_000, what: 'the cut' });
    const asked = impatient.counted.pages;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(pagesOfAll / 2);
    // The reader continues only now. It must not get a complete array.
    const rest: Buffer[] = [];
    socket.on('data', (chunk) => rest.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(rest).toString('latin1')).not.toContain(']');
    expect(impatient.counted.pages).toBe(asked);
  });

  it('occupies no working slot when it stops reading, and takes no listing from another merchant', async () => {
    const ask = (merchant: number) =>
      openListing({
        url: listings.url,
        token: `merchant-${merchant}`,
        query: merchant === crowd.merchant ? '' : '?limit=1',
      });
    // One after the other: each needs a slot until its first page is there, and there are ten.
    const stalled: IncomingMessage[] = [];
    for (let opened = 0; opened < 12; opened += 1) {
      const response = await ask(crowd.merchant);
      stalled.push(response.on('error', () => {}));
    }
    expect(stalled.map(({ statusCode }) => statusCode)).toEqual(stalled.map(() => 200));
    expect([streams.size, shedder.inFlight]).toEqual([12, 0]);
    // Another listing of the same merchant is refused, one of another merchant is served.
    const refused = await ask(crowd.merchant);
    expect([refused.statusCode, JSON.parse((await readListing(refused)).bytes.toString()).code]).toEqual([
      503,
      'overloaded',
    ]);
    const served = await ask(crowd.merchant + 1);
    expect([served.statusCode, (await readListing(served)).error]).toEqual([200, undefined]);
    await eventually(() => streams.size === 12);
    for (const response of stalled) response.destroy();
    await eventually(() => streams.size === 0);
  });

  it.each([undefined, 'gzip'])('ends the listing too when it hangs up (accept-encoding: %s)', async (encoding) => {
    counted.pages = 0;
    const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding };
    const response = await openListing({ url: listings.url, token: token(), headers });
    await once(response, 'readable');
    response.destroy();
    await eventually(() => streams.size === 0, { what: 'the end of the request' });
    const asked = counted.pages;
    expect(asked).toBeLessThan(pagesOfAll / 2);
    await readListing(await openListing({ url: listings.url, token: token(), query: '?limit=1' }));
    expect(counted.pages).toBeLessThanOrEqual(asked + 2);
  });

  it('causes no query when it asks for the headers only', async () => {
    counted.pages = 0;
    const response = await openListing({ url: listings.url, token: token(), method: 'HEAD' });
    expect([response.statusCode, (await readListing(response)).bytes.length]).toEqual([200, 0]);
    await eventually(() => streams.size === 0);
    expect(counted.pages).toBe(0);
  });
});

describe('a database that is lost half-way', () => {
  let proxy: FaultProxy;
  const throughProxy = { ...testDatabase, url: '' };
  const service = useService(
    {
      ...testDatabase,
      get url() {
        return throughProxy.url;
      },
    },
    {
      async before() {
        proxy = new FaultProxy(testDatabase.url);
        throughProxy.url = await proxy.listen();
      },
    },
  );
  afterAll(() => proxy.close());

  it.each([undefined, 'gzip'])(
    'breaks the answer, and never closes the array (accept-encoding: %s)',
    async (encoding) => {
      const token = await tokenOf(service, crowd);
      let pages = 0;
      proxy.harm = (chunk) => {
        if (!chunk.includes('users.list-page')) return 'pass';
        pages += 1;
        return pages > 5 ? 'cut-before' : 'pass';
      };
      const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding };
      const response = await openListing({ url: service.service.url, token, headers });
      expect(response.statusCode).toBe(200);
      const { bytes, error } = await readListing(response);
      proxy.harm = () => 'pass';
      expect(error).toBe('ECONNRESET');
      expect(bytes.length).toBeGreaterThan(1000);
      if (encoding === undefined) expect(bytes.toString('latin1')).not.toContain(']');
      const again = await readListing(await openListing({ url: service.service.url, token, query: '?limit=10' }));
      expect(JSON.parse(again.bytes.toString())).toHaveLength(10);
    },
  );

  it('is not noticed when only one connection is lost: the page is loaded again', async () => {
    const token = await tokenOf(service, crowd);
    let pages = 0;
    proxy.harm = (chunk) => {
      if (!chunk.includes('users.list-page')) return 'pass';
      pages += 1;
      return pages % 20 === 0 ? 'cut-before' : 'pass';
    };
    const { bytes, error } = await readListing(await openListing({ url: service.service.url, token }));
    proxy.harm = () => 'pass';
    expect(error).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toHaveLength(number);
  });
});
