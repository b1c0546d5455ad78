/** Makes a new PDF of nothing but what the pages show. */
import {
  PDFArray,
  PDFCatalog,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectCopier,
  PDFPageTree,
  PDFStreamWriter,
} from '@cantoo/pdf-lib';
import type { FoundPage } from './pdf-pages.js';
import { dictionariesIn } from './pdf-walk.js';

function keys(...texts: string[]): PDFName[] {
  return texts.map((text) => PDFName.of(text));
}

/** Of a page. Not kept, among others: actions, beads, thumbnails, private data of the program that wrote it. */
const shownOfPage = keys('Contents', 'Group', 'UserUnit');
/** Of an annotation; with its appearance it needs nothing else, neither a form nor a field above it. */
const shownOfAnnotation = keys('Rect', 'AP', 'AS', 'F');
/** Wherever they stand: who made it, when, with what, and other pictures in place of this one. */
const unseen = keys(
  'Metadata',
  'PieceInfo',
  'LastModified',
  'StructParent',
  'StructParents',
  'OPI',
  'Alternates',
  'Ref',
  'Thumb',
);

const type = PDFName.of('Type');
const subtype = PDFName.of('Subtype');
const annotations = PDFName.of('Annots');
/** Bits of `F`: hidden, and not to be viewed. */
const invisible = 2 | 32;

export function rebuild(source: PDFContext, pages: readonly FoundPage[]): PDFContext {
  for (const [, object] of source.enumerateIndirectObjects()) dropUnseen(object);
  const result = PDFContext.create();
  const tree = PDFPageTree.withContext(result);
  const treeReference = result.register(tree);
  result.trailerInfo.Root = result.register(PDFCatalog.withContextAndPages(result, treeReference));
  const copier = PDFObjectCopier.for(source, result);
  for (const found of pages) {
    const page = copier.copy(shown(source, found));
    page.set(type, PDFName.of('Page'));
    page.set(PDFName.of('Parent'), treeReference);
    tree.pushLeafNode(result.register(page));
  }
  return result;
}

export async function serialize(context: PDFContext): Promise<Buffer> {
  const bytes = await PDFStreamWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function shown(source: PDFContext, { page, inherited }: FoundPage): PDFDict {
  const kept = new Map(inherited);
  for (const key of shownOfPage) {
    const value = page.get(key);
    if (value !== undefined) kept.set(key, value);
  }
  const marks = page.lookup(annotations);
  if (marks instanceof PDFArray) {
    const drawn = marks.asArray().flatMap((mark) => drawnOnly(source, source.lookup(mark)));
    if (drawn.length > 0) kept.set(annotations, source.obj(drawn));
  }
  return PDFDict.fromMapWithContext(kept, source);
}

/**
 * A filled-in field, a stamp or a note is drawn by its appearance; a link has none and goes. As a stamp it is drawn by
 * every reader, where a field without its form is not.
 */
function drawnOnly(source: PDFContext, mark: PDFObject | undefined): PDFDict[] {
  if (!(mark instanceof PDFDict) || !(mark.lookup(PDFName.of('AP')) instanceof PDFDict)) return [];
  const flags = mark.lookup(PDFName.of('F'));
  if (flags instanceof PDFNumber && (flags.asNumber() & invisible) !== 0) return [];
  const kept = new Map<PDFName, PDFObject>([
    [type, PDFName.of('Annot')],
    [subtype, PDFName.of('Stamp')],
  ]);
  for (const key of shownOfAnnotation) {
    const value = mark.get(key);
    if (value !== undefined) kept.set(key, value);
  }
  return [PDFDict.fromMapWithContext(kept, source)];
}

function dropUnseen(object: PDFObject): void {
  for (const { dictionary } of dictionariesIn(object)) {
    for (const key of unseen) dictionary.delete(key);
  }
}
