// Ends and removes what a run of the tests has left. It is started with the run and waits until the pipe to it closes,
// which happens however the run ends: Ctrl-C, a failed check, or kill -9.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const [folder, programs] = process.argv.slice(2);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));

for (const pid of processesOf(programs)) end(pid, 'SIGKILL');
const servers = outputOf('find', folder, '-name', 'postmaster.pid').split('\n').filter(Boolean);
for (const file of servers) end(postmasterOf(file), 'SIGINT');
// A server removes its file when it has ended.
for (let waits = 0; waits < 200 && servers.some((file) => existsSync(file)); waits += 1) await setTimeout(50);
for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true, maxRetries: 10 });

/** The processes that run a program of this run, which has a folder of its own for them. */
function processesOf(place) {
  return outputOf('ps', '-eo', 'pid=,args=')
    .split('\n')
    .filter((line) => line.includes(`${place}/`))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}

function outputOf(program, ...args) {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
}

function postmasterOf(file) {
  // Its end may have come first.
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

function end(pid, signal) {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
