/** Writes a new PDF that contains only what the pages display. */
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

/** Kept of a page. Dropped are, among others, actions, beads, thumbnails and private data of applications. */
const keptPageKeys = keys('Contents', 'Group', 'UserUnit');
/** Kept of an annotation. With its appearance it needs neither a form nor a parent field. */
const keptAnnotationKeys = keys('Rect', 'AP', 'AS', 'F');
/** Dropped from every dictionary: author, dates, application data, alternate images. */
const droppedKeys = keys(
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
/** Bits of `F`: Hidden and NoView. */
const invisible = 2 | 32;

export function rebuild(source: PDFContext, pages: readonly FoundPage[]): PDFContext {
  for (const [, object] of source.enumerateIndirectObjects()) dropMetadata(object);
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
  for (const key of keptPageKeys) {
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
 * Keeps annotations that have an appearance (filled-in fields, stamps, notes) and drops the others, such as links. They
 * become stamps, because readers do not draw a field without its form.
 */
function drawnOnly(source: PDFContext, mark: PDFObject | undefined): PDFDict[] {
  if (!(mark instanceof PDFDict) || !(mark.lookup(PDFName.of('AP')) instanceof PDFDict)) return [];
  const flags = mark.lookup(PDFName.of('F'));
  if (flags instanceof PDFNumber && (flags.asNumber() & invisible) !== 0) return [];
  const kept = new Map<PDFName, PDFObject>([
    [type, PDFName.of('Annot')],
    [subtype, PDFName.of('Stamp')],
  ]);
  for (const key of keptAnnotationKeys) {
    const value = mark.get(key);
    if (value !== undefined) kept.set(key, value);
  }
  return [PDFDict.fromMapWithContext(kept, source)];
}

function dropMetadata(object: PDFObject): void {
  for (const { dictionary } of dictionariesIn(object)) {
    for (const key of droppedKeys) dictionary.delete(key);
  }
}
