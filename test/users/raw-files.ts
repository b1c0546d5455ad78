/** Searches every file of a folder for bytes, like a thief who has stolen the disk. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The end of a page may split a long needle, so its pieces are searched too. */
export function piecesOf(name: string, bytes: Buffer): Needle[] {
  const middle = bytes.length >> 1;
  return [
    { name, bytes: bytes.subarray(0, 12) },
    { name, bytes: bytes.subarray(middle - 6, middle + 6) },
    { name, bytes: bytes.subarray(-12) },
  ];
}

/** A word in the usual encodings: UTF-8, both forms of UTF-16, hexadecimal and base64. */
export function writingsOf(word: string): Needle[] {
  const utf8 = Buffer.from(word);
  const utf16 = Buffer.from(word, 'utf16le');
  const swapped = Buffer.from(utf16).swap16();
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), utf8])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4)
      .replace(/.{0,4}$/, ''),
  );
  const writings = {
    utf8,
    utf16,
    swapped,
    hex: Buffer.from(utf8.toString('hex')),
    base64: Buffer.from(base64[0] ?? ''),
    'base64, shifted by one': Buffer.from(base64[1] ?? ''),
    'base64, shifted by two': Buffer.from(base64[2] ?? ''),
  };
  return Object.entries(writings).map(([form, bytes]) => ({ name: `${word} (${form})`, bytes }));
}

/** Returns the needles that were found, each with its files. */
export function search(folder: string, needles: readonly Needle[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const finder = new Finder(needles);
  for (const file of filesBelow(folder)) {
    for (const name of finder.namesIn(readIfThere(file))) {
      found.set(name, (found.get(name) ?? new Set()).add(file.slice(folder.length + 1)));
    }
  }
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** A running server may remove files during the search. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Searches for all needles in one pass, because there are hundreds of them in hundreds of megabytes. */
class Finder {
  readonly #byBeginning = new Map<number, Needle[]>();
  readonly #beginnings = new Uint8Array(65_536);

  constructor(readonly needles: readonly Needle[]) {
    for (const needle of needles) {
      const beginning = needle.bytes.readUInt16BE(0);
      this.#beginnings[beginning] = 1;
      this.#byBeginning.set(beginning, [...(this.#byBeginning.get(beginning) ?? []), needle]);
    }
  }

  namesIn(bytes: Buffer): Set<string> {
    const few = 10;
    if (this.needles.length <= few) {
      return new Set(this.needles.filter((needle) => bytes.includes(needle.bytes)).map(({ name }) => name));
    }
    const names = new Set<string>();
    const last = bytes.length - 1;
    for (let index = 0, word = bytes[0] ?? 0; index < last; index += 1) {
      word = ((word << 8) | (bytes[index + 1] as number)) & 0xffff;
      if (this.#beginnings[word] === 1) this.#compare(bytes, index, word, names);
    }
    return names;
  }

  #compare(bytes: Buffer, index: number, beginning: number, names: Set<string>): void {
    for (const needle of this.#byBeginning.get(beginning) ?? []) {
      const end = index + needle.bytes.length;
      if (end <= bytes.length && needle.bytes.equals(bytes.subarray(index, end))) names.add(needle.name);
    }
  }
}
