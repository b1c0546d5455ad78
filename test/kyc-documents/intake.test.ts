/** Bytes are counted as they arrive; nothing that the sender says of them is believed, and nobody waits for ever. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { jpegOf, photograph } from './images.js';
import { closeInspectorsAfterAll, documentOf, faultOf, inspecting } from './inspecting.js';

const jpegHead = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const megabyte = 1024 * 1024;
closeInspectorsAfterAll();

/** As many bytes as one likes to take. */
function endless(first: Buffer): { source: Readable; given: () => number } {
  let given = 0;
  let isFirst = true;
  const source = new Readable({
    read() {
      const piece = isFirst ? first : Buffer.alloc(64 * 1024);
      isFirst = false;
      given += piece.length;
      this.push(piece);
    },
  });
  return { source, given: () => given };
}

describe('an upload', () => {
  it('without an end is cut off at ten megabytes and its stream destroyed', async () => {
    const { inspector } = inspecting();
    const { source, given } = endless(jpegHead);
    expect(faultOf(await inspector.inspectUpload(source, 'a form'))).toBe('too_large');
    expect(given()).toBeLessThan(11 * megabyte);
    expect(source.destroyed).toBe(true);
    expect(inspector.usedBytes).toBe(0);
  });

  it('of exactly ten megabytes is not too large, and one byte more is', async () => {
    const { inspect } = inspecting();
    const jpeg = await jpegOf(await photograph());
    const padded = Buffer.concat([jpeg, Buffer.alloc(10 * megabyte - jpeg.length)]);
    expect(documentOf(await inspect(padded)).mediaType).toBe('image/jpeg');
    expect(faultOf(await inspect(Buffer.concat([padded, Buffer.alloc(1)])))).toBe('too_large');
  });

  it('of a kind that is not taken is refused by its first bytes, before the rest is read', async () => {
    const { inspector } = inspecting();
    const { source, given } = endless(Buffer.from('PK\x03\x04 and so on', 'latin1'));
    expect(faultOf(await inspector.inspectUpload(source, 'a form'))).toBe('not_an_accepted_type');
    expect(given()).toBeLessThan(megabyte);
  });

  it('that stands still is given up, its stream destroyed, its memory given back', async () => {
    const { inspector } = inspecting({ receiveMs: 200 });
    const source = new Readable({ read() {} });
    source.push(jpegHead);
    expect(faultOf(await inspector.inspectUpload(source, 'a form'))).toBe('timeout');
    expect(source.destroyed).toBe(true);
    expect(inspector.usedBytes).toBe(0);
  });

  it('that trickles for ever is given up too', async () => {
    const { inspector } = inspecting({ receiveMs: 300 });
    async function* trickle() {
      for (;;) {
        yield jpegHead;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    expect(faultOf(await inspector.inspectUpload(trickle(), 'a form'))).toBe('timeout');
  });

  it('that comes byte by byte is the same file', async () => {
    const { inspect } = inspecting();
    const jpeg = await jpegOf(await photograph());
    expect(documentOf(await inspect(jpeg, 1))).toEqual(documentOf(await inspect(jpeg)));
  });

  it('whose sender goes away half-way is an error of the stream and leaves nothing behind', async () => {
    const { inspector } = inspecting();
    async function* broken() {
      yield jpegHead;
      throw new Error('the caller has gone');
    }
    await expect(inspector.inspectUpload(broken(), 'a form')).rejects.toThrow('the caller has gone');
    expect(inspector.usedBytes).toBe(0);
  });
});

describe('the uploads of one form', () => {
  it('are taken in two at a time, four wait unread, and one more is told to come again', async () => {
    const { inspector } = inspecting();
    const sources = Array.from({ length: 7 }, () => new Readable({ read() {} }));
    for (const source of sources) source.push(jpegHead);
    const uploads = sources.map((source) => inspector.inspectUpload(source, 'one form'));
    expect(faultOf(await (uploads[6] as (typeof uploads)[0]))).toBe('checker_unavailable');
    // A block for each of the two that are read.
    await eventually(() => inspector.usedBytes === 2 * 64 * 1024);
    for (const source of sources.slice(0, 6)) source.push(null);
    const faults = (await Promise.all(uploads.slice(0, 6))).map(faultOf);
    expect(faults).toEqual(new Array(6).fill('unreadable'));
    expect(inspector.usedBytes).toBe(0);
  });
});

describe('all uploads together', () => {
  it('take up no more than they may: those that stand still give their memory to those that move', async () => {
    const { inspector, inspect } = inspecting({ usedBytes: 4 * megabyte, yieldAfterMs: 50 });
    const stalled = Array.from({ length: 3 }, (_, index) => {
      const source = new Readable({ read() {} });
      source.push(Buffer.concat([jpegHead, Buffer.alloc(1.2 * megabyte)]));
      return { source, upload: inspector.inspectUpload(source, `stalled form ${index}`) };
    });
    await eventually(() => inspector.usedBytes > 3 * megabyte);
    const fullSince = performance.now();
    await eventually(() => performance.now() - fullSince > 100);
    const jpeg = await jpegOf(await photograph());
    const moving = Buffer.concat([jpeg, Buffer.alloc(megabyte)]);
    expect(documentOf(await inspect(moving)).mediaType).toBe('image/jpeg');
    const [first, ...others] = stalled;
    expect(faultOf(await (first as (typeof stalled)[0]).upload)).toBe('timeout');
    for (const { source } of others) source.push(null);
    await Promise.all(others.map(({ upload }) => upload));
    expect(inspector.usedBytes).toBe(0);
  });

  it('take up no more than they may: one too many is told to come again, the others go on', async () => {
    const { inspector } = inspecting({ usedBytes: 2 * megabyte });
    const goOn: (() => void)[] = [];
    const jpeg = await jpegOf(await photograph());
    async function* held() {
      yield Buffer.concat([jpeg, Buffer.alloc(megabyte)]);
      await new Promise<void>((resolve) => goOn.push(resolve));
    }
    const first = inspector.inspectUpload(held(), 'a form');
    expect(faultOf(await inspector.inspectUpload(held(), 'a form'))).toBe('checker_unavailable');
    expect(inspector.usedBytes).toBeGreaterThan(megabyte);
    for (const go of goOn) go();
    expect(documentOf(await first).mediaType).toBe('image/jpeg');
    expect(inspector.usedBytes).toBe(0);
  });
});
