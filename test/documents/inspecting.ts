/** An inspector with its checkers for one test file, and ways to hand it bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import type { Inspection, UploadFault } from '../../src/documents/inspect.js';
import { type InspectionLimits, inspectionLimits, UploadInspector } from '../../src/documents/inspector.js';
import { createLog } from '../../src/log.js';
import { inPieces } from './pieces.js';

export interface Inspecting {
  readonly inspector: UploadInspector;
  /** As an upload of a form of its own. */
  inspect(bytes: Buffer, pieceBytes?: number): Promise<Inspection>;
  readonly logText: () => string;
}

const closing: UploadInspector[] = [];
let forms = 0;

export function inspecting(limits: Partial<InspectionLimits> = {}): Inspecting {
  const lines: string[] = [];
  const { log } = createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } });
  const inspector = new UploadInspector(log, { ...patientLimits, ...limits });
  closing.push(inspector);
  return {
    inspector,
    inspect: (bytes, pieceBytes) => inspector.inspectUpload(inPieces(bytes, pieceBytes), `form ${forms++}`),
    logText: () => lines.join(''),
  };
}

/** As they are but for the clock on the wall, which tells how busy the machine is and not how hard a file is. */
const patientLimits: InspectionLimits = {
  ...inspectionLimits,
  checkMs: 45_000,
  startMs: 45_000,
};

/** Ends every checker that this file's tests started. */
export function closeInspectorsAfterAll(): void {
  afterAll(async () => {
    await Promise.all(closing.splice(0).map((inspector) => inspector.close()));
  });
}

export function documentOf(inspection: Inspection): { mediaType: string; bytes: Buffer } {
  if (!inspection.ok) throw new Error(`refused: ${inspection.fault}`);
  return inspection.document;
}

export function faultOf(inspection: Inspection): UploadFault | undefined {
  return inspection.ok ? undefined : inspection.fault;
}

export const hasProcessFolder = process.platform === 'linux';

/** The checkers that this process, or another, has running now. */
export function runningCheckers(parent = process.pid): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isCheckerOf(parent, pid));
}

function isCheckerOf(parent: number, pid: number): boolean {
  try {
    const itsParent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return itsParent === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('checker/program');
  } catch {
    return false;
  }
}
