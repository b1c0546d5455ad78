// A Chromium for the browser tests: one that is there already, else one that is installed now.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, say } from './setup.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const ways = [
  { what: 'apt-get', isPossible: mayUseApt, run: installWithApt },
  { what: 'Playwright', isPossible: () => existsSync(playwrightCli()), run: installWithPlaywright },
];

/** The path of a browser that runs, or undefined. */
export async function findOrInstallBrowser() {
  const found = await findBrowser();
  if (found) return found;
  for (const { what, isPossible, run } of ways) {
    if (!isPossible()) continue;
    say(`Browser tests need Chromium; installing it with ${what} (a minute or two, once) …`);
    run();
    const installed = await findBrowser();
    if (installed) return installed;
    say(`That did not give a browser that runs.`);
  }
  say('No Chromium was found nor installed. Put one on the PATH, or name it in CHROMIUM_PATH.');
  return undefined;
}

export async function findBrowser() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const candidates = [
    process.env.CHROMIUM_PATH ?? '',
    ...onPath,
    '/snap/bin/chromium',
    ...macApplications,
    await playwrightBrowser(),
  ];
  return candidates.find((path) => isExecutable(path) && answers(path));
}

async function playwrightBrowser() {
  try {
    const { chromium } = await import('playwright-core');
    return chromium.executablePath();
  } catch {
    return '';
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** A launcher may be there without the browser behind it, or without a library that this one needs. */
function answers(path) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 && /\d+\.\d+/.test(result.stdout);
}

function mayUseApt() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function installWithApt() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env);
}

function installWithPlaywright() {
  run(process.execPath, [playwrightCli(), 'install', 'chromium'], process.env);
}

function playwrightCli() {
  return join(root, 'node_modules', 'playwright-core', 'cli.js');
}

function run(command, args, env) {
  const result = spawnSync(command, args, { encoding: 'utf8', env, timeout: 600_000 });
  if (result.status === 0) return;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-5).join('\n');
  say(`${command} ${args.join(' ')} failed: ${result.error?.message ?? output}`);
}
