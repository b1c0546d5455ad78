/** Has one file checked, says so, and waits to be killed: its checker is then alone in the world. */
import { readFileSync } from 'node:fs';
import { UploadInspector } from '../../src/documents/inspector.js';
import { createLog } from '../../src/log.js';
import { inPieces } from './pieces.js';

const [file = ''] = process.argv.slice(2);
const inspector = new UploadInspector(createLog({ level: 'silent' }).log);
const { ok } = await inspector.inspectUpload(inPieces(readFileSync(file)), 'a form');
console.log(ok ? 'checked' : 'refused');
setInterval(() => {}, 60_000);
