/** The pages of a PDF in their order, whatever shape their tree is in. */
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';

export interface FoundPage {
  readonly page: PDFDict;
  /** What the page takes over from the nodes above it, by key. */
  readonly inherited: ReadonlyMap<PDFName, PDFObject>;
}

const pagesKey = PDFName.of('Pages');
const kidsKey = PDFName.of('Kids');
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((text) => PDFName.of(text));
/** Real trees have a handful of nodes; a node with no page below it is not worth walking to. */
const mostNodes = 1000;

/** At most one more than asked for: nobody needs to know by how many there are too many. */
export function findPages(context: PDFContext, atMost: number): FoundPage[] {
  const root = context.lookup(context.trailerInfo.Root);
  const tree = root instanceof PDFDict ? root.lookup(pagesKey) : undefined;
  const found: FoundPage[] = [];
  const seen = new Set<PDFObject>();
  const open: { node: PDFObject | undefined; inherited: ReadonlyMap<PDFName, PDFObject> }[] = [
    { node: tree, inherited: new Map() },
  ];
  while (open.length > 0 && found.length <= atMost && seen.size <= mostNodes) {
    const { node, inherited } = open.pop() ?? { node: undefined, inherited: new Map() };
    // A page that is there twice, or a tree that bites its tail, is looked at once.
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const passedOn = withOwn(node, inherited);
    const kids = node.lookup(kidsKey);
    if (kids instanceof PDFArray) {
      const nodes = kids.asArray().slice(0, mostNodes);
      for (const kid of nodes.reverse()) open.push({ node: context.lookup(kid), inherited: passedOn });
    } else if (node !== tree) found.push({ page: node, inherited: passedOn });
  }
  return found;
}

function withOwn(node: PDFDict, inherited: ReadonlyMap<PDFName, PDFObject>): Map<PDFName, PDFObject> {
  const passedOn = new Map(inherited);
  for (const key of inheritable) {
    const own = node.get(key);
    if (own !== undefined) passedOn.set(key, own);
  }
  return passedOn;
}
