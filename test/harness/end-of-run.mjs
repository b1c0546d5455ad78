// Ends and removes what a run of the tests has left. It is started with the run and waits until the pipe to it closes,
// which happens however the run ends: Ctrl-C, a failed check, or kill -9.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const [folder, programs] = process.argv.slice(2);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));

for (const pid of processesOf(programs)) end(pid, 'SIGKILL');
const servers = readdirSync(folder, { recursive: true })
  .filter((file) => file.endsWith('postmaster.pid'))
  .map((file) => join(folder, file));
for (const file of servers) end(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGINT');
// A server removes its file when it has ended.
for (let waits = 0; waits < 200 && servers.some((file) => existsSync(file)); waits += 1) await setTimeout(50);
for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true });

/** The processes that run a program of this run, which has a folder of its own for them. */
function processesOf(place) {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${place}/`))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}

function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
