/**
 * The program of a checker, a process of its own: takes one file after the other, answers each with a document made
 * anew or with what is wrong. It may break on any of them; whoever started it then takes that for a refusal.
 */
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { type FileKind, fileKinds } from '../file-kind.js';
import { largestUploadBytes } from '../inspect.js';
import { type Answer, answers, FrameReader, frameHead } from './frames.js';
import { checkImage } from './image.js';
import type { CheckResult } from './result.js';

const reader = new FrameReader(largestUploadBytes);
/** Not the standard output: libraries print there. */
const output = new Socket({ fd: 3, readable: false, writable: true });

// Whoever is served meanwhile goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
output.on('error', () => process.exit(1));
process.stdin.on('data', (piece: Buffer) => {
  const frame = reader.add(piece);
  const kind = frame && fileKinds[frame.code];
  if (frame && kind) answerTo(kind, frame.body).catch(() => process.exit(1));
});
// Whoever started this process has gone.
process.stdin.on('end', () => process.exit(0));
answer('ready', Buffer.alloc(0));

async function answerTo(kind: FileKind, bytes: Buffer): Promise<void> {
  const result = await check(kind, bytes).catch((): CheckResult => 'unreadable');
  if (typeof result === 'string') answer(result, Buffer.alloc(0));
  else answer(result.mediaType, result.bytes);
}

async function check(kind: FileKind, bytes: Buffer): Promise<CheckResult> {
  if (kind !== 'pdf') return checkImage(kind, bytes);
  // Hundreds of modules, which most checkers never need: people send photographs.
  const { checkPdf } = await import('./pdf.js');
  return checkPdf(bytes);
}

function answer(what: Answer, body: Buffer): void {
  output.write(frameHead(answers.indexOf(what), body.length));
  output.write(body);
}
