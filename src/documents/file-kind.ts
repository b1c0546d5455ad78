/** What a file is by its first bytes. What its sender calls it is not asked. */
export const fileKinds = ['jpeg', 'png', 'pdf'] as const;
export type FileKind = (typeof fileKinds)[number];

/** So many bytes are enough to tell. */
export const tellingBytes = 12;

/** Strictly from the first byte: what has something else before it may be that something else too. */
const beginnings: Readonly<Record<FileKind, Buffer>> = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  pdf: Buffer.from('%PDF-'),
};

/** The brands of ISO/IEC 23008-12 that phones write; named, so that their owners are told what to do. */
const heicBrand = /^ftyp(hei[cxms]|hev[cxms]|mif1|msf1)$/;

export function fileKindOf(head: Buffer): FileKind | 'heic' | undefined {
  if (heicBrand.test(head.toString('latin1', 4, 12))) return 'heic';
  return fileKinds.find((kind) => head.indexOf(beginnings[kind]) === 0);
}
