/**
 * Inspects every file of a folder as a service would, and prints what that did to this process: how much its memory
 * grew at most, how late its event loop was at most. Arguments: the compiled inspector, the folder, limits as JSON.
 */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createLog } from '../../src/log.js';

const [module = '', folder = '', limits = '{}'] = process.argv.slice(2);
const { UploadInspector, inspectionLimits } = await import(module);
const { log } = createLog({ level: 'silent' });
const inspector = new UploadInspector(log, { ...inspectionLimits, ...JSON.parse(limits) });
const outcomes: Record<string, string> = {};
const files = readdirSync(folder).sort();

const before = process.memoryUsage.rss();
let highest = before;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 20);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
await Promise.all([inspectAll(), inspectAll(), inspectAll(), inspectAll()]);
delay.disable();
clearInterval(watch);
await inspector.close();

const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    outcomes,
    grownBytes: highest - before,
    latestMs: delay.max / 1e6,
    cpuSeconds: (user + system) / 1e6,
    heldBytes: inspector.heldBytes,
  }),
);

async function inspectAll(): Promise<void> {
  for (let file = files.shift(); file; file = files.shift()) {
    const inspection = await inspector.inspectUpload(createReadStream(join(folder, file)));
    outcomes[file] = inspection.ok ? inspection.document.mediaType : inspection.fault;
  }
}
