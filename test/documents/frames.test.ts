/** What a checker says is put together from any pieces, and not believed beyond its bounds. */
import { describe, expect, it } from 'vitest';
import { type Frame, FrameReader, frameHead } from '../../src/documents/checker/frames.js';

function framed(code: number, text: string): Buffer {
  return Buffer.concat([frameHead(code, text.length), Buffer.from(text)]);
}

function readInPieces(reader: FrameReader, bytes: Buffer, pieceBytes: number): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const frame = reader.add(bytes.subarray(at, at + pieceBytes));
    if (frame) frames.push(frame);
  }
  return frames;
}

describe('a reader of frames', () => {
  it.each([1, 2, 3, 5, 7, 100])('puts a frame together from pieces of %i bytes', (pieceBytes) => {
    const reader = new FrameReader(1000);
    const [frame, ...others] = readInPieces(reader, framed(7, 'a document of some length'), pieceBytes);
    expect(others).toEqual([]);
    expect(frame?.code).toBe(7);
    expect(frame?.body.toString()).toBe('a document of some length');
    expect(reader.hasRest).toBe(false);
  });

  it('takes an empty body', () => {
    expect(new FrameReader(10).add(framed(3, ''))).toEqual({ code: 3, body: Buffer.alloc(0) });
  });

  it('reads one frame after the other', () => {
    const reader = new FrameReader(10);
    expect(reader.add(framed(1, 'one'))?.body.toString()).toBe('one');
    expect(reader.add(framed(2, 'two'))?.body.toString()).toBe('two');
  });

  it('tells when something comes after an answer', () => {
    const reader = new FrameReader(10);
    expect(reader.add(Buffer.concat([framed(1, 'one'), Buffer.from('x')]))?.body.toString()).toBe('one');
    expect(reader.hasRest).toBe(true);
  });

  it('refuses a frame as soon as it is announced too long', () => {
    expect(() => new FrameReader(10).add(frameHead(1, 11))).toThrow('longer than allowed');
    expect(() => new FrameReader(10).add(frameHead(1, 0xffffffff))).toThrow('longer than allowed');
  });
});
