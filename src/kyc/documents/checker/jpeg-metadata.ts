/** Takes out of a JPEG what is not needed to show it, without touching its pixels. */
const startOfScan = 0xda;
const comment = 0xfe;
/** APP0 says how its pixels are shaped, APP2 has its colour profile, APP14 how its colours are written. */
const neededToShow = new Set([0xe0, 0xe2, 0xee]);

export function withoutMetadata(jpeg: Buffer): Buffer {
  const kept: Buffer[] = [jpeg.subarray(0, 2)];
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg.readUInt8(at + 1);
    // Not where a segment should begin, or from here on pixels: the rest stays as it is.
    if (jpeg.readUInt8(at) !== 0xff || marker === startOfScan)
      return Buffer.concat([...kept, jpeg.subarray(at)]);
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (isNeeded(marker)) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function isNeeded(marker: number): boolean {
  const isApplications = marker >= 0xe0 && marker <= 0xef;
  return marker !== comment && (!isApplications || neededToShow.has(marker));
}
