/** Yields every dictionary inside one object. Does not follow references: the caller visits all indirect objects. */
import { PDFArray, PDFDict, type PDFObject, PDFStream } from '@cantoo/pdf-lib';

export interface FoundDictionary {
  readonly dictionary: PDFDict;
  readonly isOfStream: boolean;
}

export function* dictionariesIn(object: PDFObject): Generator<FoundDictionary> {
  const open: PDFObject[] = [object];
  for (let next = open.pop(); next; next = open.pop()) {
    const isOfStream = next instanceof PDFStream;
    const inner = next instanceof PDFStream ? next.dict : next;
    if (inner instanceof PDFDict) yield { dictionary: inner, isOfStream };
    if (inner instanceof PDFDict) for (const value of inner.values()) open.push(value);
    else if (inner instanceof PDFArray) for (const value of inner.asArray()) open.push(value);
  }
}
