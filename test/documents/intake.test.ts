/** Bytes are counted as they arrive, and nothing that the sender says of them is believed. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/documents/inspect.js';
import type { UploadInspector } from '../../src/documents/inspector.js';
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
  });
});

/** Uploads whose bytes do not end until `goOn` is called. */
function unfinished(inspector: UploadInspector, forms: readonly string[]) {
  const sources = forms.map(() => new Readable({ read() {} }));
  for (const source of sources) source.push(jpegHead);
  const uploads = forms.map((form, index) => inspector.inspectUpload(sources[index] as Readable, form));
  const goOn = () => {
    for (const source of sources) if (!source.destroyed) source.push(null);
    return Promise.all(uploads);
  };
  return { uploads, goOn };
}

it('the uploads of one form are received one at a time, five wait unread, and one more is told to come again', async () => {
  const { inspector } = inspecting();
  const { uploads, goOn } = unfinished(inspector, Array(7).fill('one form'));
  expect(faultOf((await uploads[6]) as Inspection)).toBe('checker_unavailable');
  expect((await goOn()).slice(0, 6).map(faultOf)).toEqual(new Array(6).fill('unreadable'));
});

it('while all places are taken, an upload of another form is told to come again; then there is room', async () => {
  const { inspector, inspect } = inspecting({ uploads: 3 });
  const jpeg = await jpegOf(await photograph());
  const { goOn } = unfinished(inspector, ['a', 'b', 'c']);
  expect(faultOf(await inspect(jpeg))).toBe('checker_unavailable');
  expect((await goOn()).map(faultOf)).toEqual(new Array(3).fill('unreadable'));
  expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
});
