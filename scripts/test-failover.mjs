// `npm run test:failover`: the service on a Patroni cluster whose primary is lost again and again. Needs Linux, root
// and a few Debian packages, which it installs. Where that cannot be had it says so and ends well, unless CI=true
// demands it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, root, say, setUp } from './setup.mjs';

const packages = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  iproute2: '/sbin/ip',
};

const missing = () => Object.keys(packages).filter((name) => !existsSync(packages[name]));

if (process.platform !== 'linux' || process.getuid?.() !== 0) skip('it needs Linux and root');
if (missing().length > 0) install(missing());
if (missing().length > 0) skip(`these Debian packages are missing: ${missing().join(', ')}`);
if (spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status !== 0)
  skip('this machine allows no namespaces (unshare failed)');
setUp();
run();

/** Everything runs in a network, a mount table and a process table of its own: nothing is left when it ends. */
function run() {
  const vitest = join(root, 'node_modules', '.bin', 'vitest');
  const config = join('test', 'failover', 'vitest.config.ts');
  const script = 'mount -t tmpfs tmpfs /run; "$@"; exit $?';
  const command = [vitest, 'run', '--config', config, '--root', root, ...process.argv.slice(2)];
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const folder = mkdtempSync(join(tmpdir(), 'remesa-failover-'));
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...command], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FAILOVER_FOLDER: folder },
  });
  // Killing `unshare` ends everything in its namespaces.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'));
  child.on('close', (code) => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    process.exit(code ?? 1);
  });
}

function install(names) {
  say(`The failover test needs Debian packages; installing ${names.join(', ')} …`);
  // Runlevel 1 keeps the packages from starting their servers.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...names);
}

function skip(reason) {
  const message = `The failover test did not run: ${reason}.`;
  if (process.env.CI === 'true') fail(message);
  say(message);
  process.exit(0);
}
