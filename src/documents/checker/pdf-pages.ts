/** Counts the pages of a PDF. The page tree may be damaged or hostile. */
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';

const pagesKey = PDFName.of('Pages');
const kidsKey = PDFName.of('Kids');
/** Real trees have a handful of nodes. */
const maxNodes = 1000;

/** Stops at `atMost + 1` pages, which is enough to know that there are too many. */
export function countPages(context: PDFContext, atMost: number): number {
  const root = context.lookup(context.trailerInfo.Root);
  const tree = root instanceof PDFDict ? root.lookup(pagesKey) : undefined;
  const seen = new Set<PDFObject>();
  const open = [tree];
  let pages = 0;
  while (open.length > 0 && pages <= atMost && seen.size <= maxNodes) {
    const node = open.pop();
    // A page that is listed twice, or a cycle, is visited once.
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const kids = node.lookup(kidsKey);
    if (kids instanceof PDFArray) {
      for (const kid of kids.asArray().slice(0, maxNodes)) open.push(context.lookup(kid));
    } else if (node !== tree) pages += 1;
  }
  return pages;
}
