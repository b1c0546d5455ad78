/** Bytes as they come in over a network: one piece after the other. */
export async function* inPieces(bytes: Buffer, pieceBytes = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
