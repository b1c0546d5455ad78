/**
 * The program of a checker process. It takes one file after the other and answers with a clean document or with what is
 * wrong. It may crash on a hostile file; the service then refuses that file.
 */
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { type FileKind, fileKinds } from '../file-kind.js';
import { largestUploadBytes } from '../inspect.js';
import { type Answer, answers, FrameReader, frameHead } from './frames.js';
import { checkImage } from './image.js';
import type { CheckResult } from './result.js';

const reader = new FrameReader(largestUploadBytes);
/** Not standard output, because libraries print there. */
const output = new Socket({ fd: 3, readable: false, writable: true });

// Requests that are served meanwhile go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
output.on('error', () => process.exit(1));
process.stdin.on('data', (piece: Buffer) => {
  const frame = reader.add(piece);
  const kind = frame && fileKinds[frame.code];
  if (frame && kind) answerTo(kind, frame.body).catch(() => process.exit(1));
});
// The process that started this one has ended.
process.stdin.on('end', () => process.exit(0));
answer('ready', Buffer.alloc(0));

async function answerTo(kind: FileKind, bytes: Buffer): Promise<void> {
  const result = await check(kind, bytes).catch((): CheckResult => 'unreadable');
  if (typeof result === 'string') answer(result, Buffer.alloc(0));
  else answer(result.mediaType, result.bytes);
}

async function check(kind: FileKind, bytes: Buffer): Promise<CheckResult> {
  if (kind !== 'pdf') return checkImage(kind, bytes);
  // Loads hundreds of modules, which most checkers never need: most people send photographs.
  const { checkPdf } = await import('./pdf.js');
  return checkPdf(bytes);
}

function answer(type: Answer, body: Buffer): void {
  output.write(frameHead(answers.indexOf(type), body.length));
  output.write(body);
}
