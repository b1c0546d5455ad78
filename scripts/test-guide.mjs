// `npm run test:guide`: follows "A machine with systemd" of docs/deploying.md word by word: Debian's PostgreSQL, two
// processes under the users and settings of their units, Caddy with TLS, then the upgrade, a backup and its drill. What
// it writes is in file systems and a network of its own, which end with it. There is no systemd and no internet: the
// units are started by this program, certificates are Caddy's own, and no screening list is downloaded. Needs Linux,
// root and Debian's PostgreSQL. Where that cannot be had it says so and ends well.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, root, say, setUp } from './setup.mjs';

const self = join(root, 'scripts/test-guide.mjs');
const [mode, folder, ...rest] = process.argv.slice(2);
const [publicName, operatorName] = ['pay.localhost', 'operators.localhost'];
const atMostMinutes = 20;
const awaySeconds = 30;
const checks = [];

function outside() {
  const needed = ['/usr/bin/unshare', '/usr/bin/setpriv', '/usr/bin/pg_ctlcluster', '/usr/sbin/ip', '/usr/bin/node'];
  const missing = needed.filter((path) => !existsSync(path));
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skip('it needs Linux and root');
  if (missing.length > 0) skip(`${missing.join(', ')} is missing`);
  const caddy = findCaddy();
  if (!caddy) skip('Caddy is not here and cannot be downloaded');
  setUp();
  const made = mkdtempSync(join(tmpdir(), 'remesa-guide-'));
  const own = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child', '--propagation', 'private'];
  const { status } = spawnSync('unshare', [...own, process.execPath, self, 'inside', made, caddy], {
    stdio: 'inherit',
  });
  rmSync(made, { recursive: true, force: true, maxRetries: 10 });
  process.exit(status ?? 1);
}

function findCaddy() {
  const tools = join(root, 'test-output', 'tools', 'caddy');
  const unpacked = join(tools, 'usr/bin/caddy');
  if (existsSync('/usr/bin/caddy')) return '/usr/bin/caddy';
  if (!existsSync(unpacked)) {
    mkdirSync(tools, { recursive: true });
    spawnSync('sh', ['-c', 'apt-get download caddy && dpkg -x caddy_*.deb .'], { cwd: tools, stdio: 'ignore' });
  }
  return existsSync(unpacked) ? unpacked : undefined;
}

async function inside() {
  run('mount', ['-t', 'tmpfs', '-o', 'size=3g', 'tmpfs', folder]);
  for (const path of ['etc', 'var', 'opt', 'usr/local']) {
    const [upper, work] = ['upper', 'work'].map((name) => join(folder, name, path.replace('/', '-')));
    for (const made of [upper, work]) mkdirSync(made, { recursive: true });
    run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=/${path},upperdir=${upper},workdir=${work}`, `/${path}`]);
  }
  chmodSync(folder, 0o755);
  writePrograms();
  const shell = new Shell();
  await shell.run('ip link set lo up');
  const [database, release, secrets, people, start, tls, upgrade] = blocks();
  const startedAt = Date.now();
  for (const block of [database, release, secrets]) await shell.paste(block);
  await shell.run(
    `sed -i -e s/pay.example.com/${publicName}/ -e s/operators.example.com/${operatorName}/ /etc/remesa/remesa.env`,
  );
  await shell.paste(people);
  await shell.paste(start, { 'remesa doctor': [0, 1, 2] });
  await shell.run(
    `sed -i -e s/^pay.example.com/${publicName}/ -e s/^operators.example.com/${operatorName}/ deploy/caddy/Caddyfile`,
  );
  await shell.paste(tls);
  await shell.run(ready);
  const minutes = (Date.now() - startedAt) / 60_000;
  check(`the guide took ${minutes.toFixed(1)} minutes (at most ${atMostMinutes})`, minutes <= atMostMinutes);
  await examine(shell);
  await upgradeBeside(shell, upgrade);
  await drill(shell);
  const failed = checks.filter((isGood) => !isGood).length;
  say(`tests: ${checks.length - failed} passed, ${failed} failed, 0 skipped`);
  process.exit(failed === 0 ? 0 : 1);
}

/** The commands of the guide, block by block. */
function blocks() {
  const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
  const [, section = ''] = guide.split('\n## A machine with systemd\n');
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block.trimEnd());
}

/** What stands for the parts of a machine that are not here. */
function writePrograms() {
  const caddy = rest[0];
  const programs = {
    systemctl: `exec ${process.execPath} ${self} systemctl ${folder} "$@"`,
    // Both are here already, and the cluster of the package is started, as its installation does.
    'apt-get': 'pg_ctlcluster $(pg_lsclusters -h | head -1 | cut -d " " -f 1,2) start',
    // The only one that needs a network.
    npm: `exec nsenter --target 1 --net ${run('sh', ['-c', 'command -v npm']).trim()} "$@"`,
    caddy: `exec ${caddy} "$@"`,
  };
  for (const name of ['bin', 'credentials']) mkdirSync(join(folder, name), { mode: 0o755 });
  mkdirSync('/etc/caddy', { recursive: true });
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Starts the processes of units with their users, settings and credentials. */
function systemctl([verb, ...names]) {
  const units = names.filter((name) => !name.startsWith('-'));
  if (verb === 'daemon-reload') return;
  if (verb === 'reload') return startCaddy();
  for (const unit of units) {
    if (unit.endsWith('.timer')) existsSync(`/etc/systemd/system/${unit}`) || fail(`there is no ${unit}`);
    else if (unit === 'remesa-lists') say('No list is downloaded: there is no internet here.');
    else startUnit(unit, verb === 'restart');
  }
}

function startCaddy() {
  const environment = { PATH: process.env.PATH, HOME: join(folder, 'caddy'), XDG_DATA_HOME: join(folder, 'caddy') };
  detach('caddy', ['run', '--config', '/etc/caddy/Caddyfile'], environment, join(folder, 'caddy.log'));
}

function startUnit(name, isRestart) {
  const [, instance] = name.split('@');
  const unit = readFileSync('/etc/systemd/system/remesa@.service', 'utf8').replaceAll('%i', instance);
  const values = (key) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);
  const credentials = join(folder, 'credentials', instance);
  const state = `/var/lib/remesa/${instance}`;
  const user = 61_184;
  mkdirSync('/var/lib/remesa', { recursive: true });
  chmodSync('/var/lib/remesa', 0o755);
  for (const made of [
    credentials,
    ...values('StateDirectory')
      .join(' ')
      .split(' ')
      .map((path) => `/var/lib/${path}`),
  ]) {
    mkdirSync(made, { recursive: true, mode: 0o700 });
    // A command may have made it before, as root; systemd gives it to the user as well.
    run('chown', ['-R', `${user}:${user}`, made]);
  }
  for (const [credential, file] of values('LoadCredential').map((value) => value.split(':'))) {
    writeFileSync(join(credentials, credential), readFileSync(file), { mode: 0o400 });
    chownSync(join(credentials, credential), user, user);
  }
  const files = values('EnvironmentFile').map((path) => readFileSync(path.replace(/^-/, ''), 'utf8'));
  const assignments = [...files.join('\n').split('\n'), ...values('Environment').join(' ').split(' ')];
  const settings = assignments
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  const environment = Object.fromEntries(settings.map(([key, value]) => [key, value.replace('%d', credentials)]));
  const pidFile = join(folder, `${instance}.pid`);
  if (isRestart) endProcess(Number(readFileSync(pidFile, 'utf8')));
  const identity = ['--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs', '--bounding-set', '-all'];
  const command = values('ExecStart')[0].split(' ');
  const options = { PATH: '/usr/bin:/bin', ...environment };
  const pid = detach('setpriv', [...identity.map(String), ...command], options, join(folder, `${instance}.log`), state);
  writeFileSync(pidFile, String(pid));
}

function detach(program, args, env, log, cwd = '/') {
  const script = 'exec "$@" >> "$LOG_OF_UNIT" 2>&1';
  const child = spawn('sh', ['-c', script, 'sh', program, ...args], {
    ...{ cwd, detached: true, stdio: 'ignore', env: { ...env, LOG_OF_UNIT: log } },
  });
  child.unref();
  return child.pid;
}

function endProcess(pid) {
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}/exe`)) spawnSync('sleep', ['0.05']);
}

/** One shell for all blocks, in a network of its own, as root in the folder of the repository. */
class Shell {
  #shell = spawn('unshare', ['--net', 'bash', '--noprofile', '--norc'], {
    cwd: copyOfRepository(),
    env: { PATH: `${join(folder, 'bin')}:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: '/root' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  #output = '';

  constructor() {
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.on('data', (data) => {
        this.#output += data;
      });
  }

  /** Each line must end with 0, or with one of the codes that are accepted for it. */
  async paste(block, accepted = {}) {
    for (const line of block.split('\n').filter((text) => text.trim() !== '')) {
      const { code, output } = await this.run(line);
      const isGood = (accepted[line] ?? [0]).includes(code);
      check(line, isGood);
      if (!isGood || accepted[line]) say(output.trim());
    }
  }

  async run(line) {
    const mark = `::${Math.random()}::`;
    this.#output = '';
    this.#shell.stdin.write(`${line}\necho "${mark}$?"\n`);
    while (!this.#output.includes(mark)) await new Promise((resolve) => setTimeout(resolve, 20));
    const [output, code] = this.#output.split(mark);
    return { output, code: Number(code) };
  }
}

/** The guide edits the Caddyfile, and building writes into the folder. */
function copyOfRepository() {
  const copy = join(folder, 'repository');
  mkdirSync(copy);
  const left = ['--exclude=./test-output', '--exclude=./.git', '--exclude=./data'];
  run('sh', ['-c', `tar -cf - ${left.join(' ')} . | tar -xf - -C ${copy}`]);
  return copy;
}

function curl(name, path, options = '') {
  return `curl -sSfk ${options} --resolve ${name}:443:127.0.0.1 https://${name}${path}`;
}

const ready = `timeout 60 sh -c 'until ${curl(publicName, '/readyz')} > /dev/null 2>&1; do sleep 0.2; done'`;

async function examine(shell) {
  const ready = await shell.run(curl(publicName, '/readyz'));
  check('it is ready behind TLS', ready.code === 0 && JSON.parse(ready.output).status === 'ready');
  if (ready.code !== 0) say(readFileSync(join(folder, 'api.log'), 'utf8').slice(-3000));
  const hidden = await shell.run(
    curl(publicName, '/operator/me', '-o /dev/null -w %{http_code}').replace('-sSfk', '-sSk'),
  );
  check('operators are not served at the public name', hidden.output.trim() === '404');
  const operator = await shell.run(curl(operatorName, '/console', '-L -o /dev/null -w %{http_code}'));
  check('the console is served at the name of operators', operator.output.trim() === '200');
  const pid = readFileSync(join(folder, 'api.pid'), 'utf8');
  check('its process is not root', /^Uid:\s+61184\s/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
}

async function upgradeBeside(shell, upgrade) {
  const ask = curl(publicName, '/livez');
  const asks = `(while sleep 0.05; do ${ask} > /dev/null 2>&1 && date +%s%3N; done) > ${folder}/answered &`;
  await shell.run(`${asks} ASKING=$!`);
  await shell.paste(upgrade);
  await shell.run(ready);
  await shell.run('kill $ASKING');
  const answered = readFileSync(join(folder, 'answered'), 'utf8').split('\n').filter(Boolean).map(Number);
  const gaps = answered.slice(1).map((at, index) => (at - answered[index]) / 1000);
  const longest = Math.max(...gaps);
  check(
    `during the upgrade the longest wait was ${longest.toFixed(1)} s (at most ${awaySeconds})`,
    answered.length > 1 && longest <= awaySeconds,
  );
}

async function drill(shell) {
  const { output, code } = await shell.run('remesa backup /var/backups/remesa 2> /dev/null');
  check('it is backed up', code === 0);
  await shell.run(`su postgres -c "psql -c 'CREATE DATABASE drill OWNER remesa'"`);
  const settings = [
    'set -a; . /etc/remesa/remesa.env; set +a',
    'export MASTER_KEY_FILE=/etc/remesa/secrets/master-key DATA_DIR=/var/lib/remesa/drill',
    'export DATABASE_URL=$(sed s,/remesa$,/drill, /etc/remesa/secrets/database-url)',
  ].join('; ');
  const restored = await shell.run(
    `(${settings}; cd /; node /opt/remesa/current/dist/main.js restore ${output.trim()})`,
  );
  check('the backup is restored into another database and verified', restored.code === 0);
  check('it has no fault', restored.output.includes(', 0 faults.'));
  if (restored.code !== 0) say(restored.output);
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) fail(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function check(what, isGood) {
  checks.push(Boolean(isGood));
  say(`${isGood ? '✓' : '✗'} ${what}`);
}

function skip(reason) {
  say(`NOT RUN: ${reason}.`);
  process.exit(0);
}

if (mode === 'inside') await inside();
else if (mode === 'systemctl') systemctl(rest);
else outside();
