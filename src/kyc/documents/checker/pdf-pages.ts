/** Lists the pages of a PDF in their order. The page tree may be damaged or hostile. */
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';

export interface FoundPage {
  readonly page: PDFDict;
  /** The attributes that the page inherits from the nodes above it. */
  readonly inherited: ReadonlyMap<PDFName, PDFObject>;
}

const pagesKey = PDFName.of('Pages');
const kidsKey = PDFName.of('Kids');
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((text) => PDFName.of(text));
/** Real trees have a handful of nodes. */
const maxNodes = 1000;

/** Stops after `atMost + 1` pages, which is enough to know that there are too many. */
export function findPages(context: PDFContext, atMost: number): FoundPage[] {
  const root = context.lookup(context.trailerInfo.Root);
  const tree = root instanceof PDFDict ? root.lookup(pagesKey) : undefined;
  const found: FoundPage[] = [];
  const seen = new Set<PDFObject>();
  const open: { node: PDFObject | undefined; inherited: ReadonlyMap<PDFName, PDFObject> }[] = [
    { node: tree, inherited: new Map() },
  ];
  while (open.length > 0 && found.length <= atMost && seen.size <= maxNodes) {
    const { node, inherited } = open.pop() ?? { node: undefined, inherited: new Map() };
    // A page that is listed twice, or a cycle, is visited once.
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const inheritedBelow = withOwn(node, inherited);
    const kids = node.lookup(kidsKey);
    if (kids instanceof PDFArray) {
      const nodes = kids.asArray().slice(0, maxNodes);
      for (const kid of nodes.reverse()) open.push({ node: context.lookup(kid), inherited: inheritedBelow });
    } else if (node !== tree) found.push({ page: node, inherited: inheritedBelow });
  }
  return found;
}

function withOwn(node: PDFDict, inherited: ReadonlyMap<PDFName, PDFObject>): Map<PDFName, PDFObject> {
  const inheritedBelow = new Map(inherited);
  for (const key of inheritable) {
    const own = node.get(key);
    if (own !== undefined) inheritedBelow.set(key, own);
  }
  return inheritedBelow;
}
