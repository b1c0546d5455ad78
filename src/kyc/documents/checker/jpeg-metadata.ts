/** Removes from a JPEG what is not needed to display it. The pixels stay as they are. */
const startOfScan = 0xda;
const comment = 0xfe;
/** APP0 holds the pixel aspect, APP2 the colour profile, APP14 the colour transform. */
const neededToDisplay = new Set([0xe0, 0xe2, 0xee]);

export function withoutMetadata(jpeg: Buffer): Buffer {
  const kept: Buffer[] = [jpeg.subarray(0, 2)];
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg.readUInt8(at + 1);
    // The pixels begin here, or this is not a segment. The rest stays as it is.
    if (jpeg.readUInt8(at) !== 0xff || marker === startOfScan)
      return Buffer.concat([...kept, jpeg.subarray(at)]);
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (isNeeded(marker)) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function isNeeded(marker: number): boolean {
  const isApplicationSegment = marker >= 0xe0 && marker <= 0xef;
  return marker !== comment && (!isApplicationSegment || neededToDisplay.has(marker));
}
