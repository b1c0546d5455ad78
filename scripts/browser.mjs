// Finds a Chromium for the browser tests, and installs one if there is none.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, say } from './setup.mjs';

/** The shell first: it is Chromium without windows, which draws the same pages in less time. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
const installers = [
  { name: 'apt-get', isAvailable: mayUseApt, install: () => installWithApt(shell) },
  { name: 'apt-get', isAvailable: mayUseApt, install: () => installWithApt('chromium') },
  { name: 'Playwright', isAvailable: () => existsSync(playwrightCli()), install: installWithPlaywright },
];

/** Returns the path of a working browser, or undefined. */
export async function findOrInstallBrowser() {
  const existing = await findBrowser();
  if (existing) return existing;
  for (const { name, isAvailable, install } of installers) {
    if (!isAvailable()) continue;
    say(`The browser tests need Chromium. Installing it with ${name} takes a minute or two, once …`);
    install();
    const installed = await findBrowser();
    if (installed) return installed;
    say(`The installation with ${name} gave no working browser.`);
  }
  say('Chromium was not found and could not be installed. Put it on the PATH, or set CHROMIUM_PATH to it.');
  return undefined;
}

export async function findBrowser() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const candidates = [
    process.env.CHROMIUM_PATH ?? '',
    ...onPath,
    '/snap/bin/chromium',
    ...macApplications,
    await playwrightBrowser(),
  ];
  return candidates.find((path) => isExecutable(path) && works(path));
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

/** Runs the browser once, because a launcher may exist without the browser, or without a library that it needs. */
function works(path) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 && /\d+\.\d+/.test(result.stdout);
}

function mayUseApt() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function installWithApt(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], env);
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
