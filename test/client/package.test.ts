/**
 * The client as a merchant installs it: packed, installed into a new folder, imported, compiled against, and run by
 * every runtime of this machine that it promises. `npm run test:runtimes` brings those that are missing.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { newFolder } from '../harness/new-folder.js';
import { root } from '../harness/programs.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const running = useService(useTestDatabase());
const folder = newFolder();
const installed = join(folder, 'node_modules/@remesa/client');

/** The arguments with which a runtime starts a module. */
const runtimes: Readonly<Record<string, readonly string[]>> = {
  node22: [],
  node24: [],
  bun: [],
  deno: ['run', '--allow-all', '--node-modules-dir=manual'],
};
const isHere = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
const missing = Object.keys(runtimes).filter((program) => !isHere(program));
if (missing.length > 0) {
  console.warn(
    `NOT EVERY RUNTIME IS HERE: the client does not run on ${missing.join(', ')}. Try \`npm run test:runtimes\`.`,
  );
}

const program = `import { isCode, NotFound, Remesa } from '@remesa/client';
import { unwrap } from '@remesa/client/webhooks';

const remesa = new Remesa({ url: process.argv[2] ?? '', clientId: 'demo', clientSecret: 'demo-secret' });
const { id, externalClientId } = await remesa.users.create({
  firstName: 'Ana', lastName: 'Reyes', email: 'ana@example.com', address: '12 Calle del Sol', city: 'Valencia',
  stateProvince: 'Valencia', countryCode: 'ES', postalCode: '46001',
});
const found: number = (await remesa.asUser({ externalClientId }).users.get()).id;
const known: number[] = [];
for await (const user of remesa.users.list()) known.push(user.id);
const code = await remesa.orders.get('ord_01K9ZZZZZZZZZZZZZZZZZZZZZZ').catch((error: unknown) =>
  error instanceof NotFound && isCode(error, 'order_not_found') ? error.code : String(error));
const forged = await unwrap({ headers: {}, body: '{}' }, { secrets: ['whsec_AAAA'] }).catch((error: Error) => error.name);
console.log(JSON.stringify([found === id, known.includes(id), code, forged]));
`;

beforeAll(() => {
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args, '--silent', '--ignore-scripts=false'], { cwd, encoding: 'utf8' }).trim();
  const tarball = npm(['pack', '--pack-destination', folder], join(root, 'packages/client'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], folder);
}, 60_000);

it('has its licence, its types and its modules, and no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  expect(readdirSync(join(installed, 'dist'))).toEqual(expect.arrayContaining(['LICENSE', 'index.js', 'index.d.ts']));
  expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@remesa']);
});

it.each([
  ['NodeNext', 'NodeNext'],
  ['ESNext', 'Bundler'],
])(
  'a strict program with modules %s and %s compiles against it, the types of the client included',
  (module, moduleResolution) => {
    const place = join(folder, moduleResolution);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'program.ts'), `declare const process: { argv: string[] };\n${program}`);
    const lib = ['ES2023', 'DOM', 'DOM.Iterable'];
    const strict = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    };
    const compilerOptions = { ...strict, module, moduleResolution, target: 'ES2023', lib, types: [], outDir: 'out' };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }));
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', place], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    writeFileSync(join(folder, 'program.mjs'), readFileSync(join(place, 'out/program.js')));
  },
);

const started = Object.entries(runtimes).map(([name, args]) => ({ name, command: name, args }));
it.for([{ name: 'this Node', command: process.execPath, args: [] as readonly string[] }, ...started])(
  'runs on $name',
  async ({ name, command, args }, { skip }) => {
    if (missing.includes(name)) skip(`${name} is not on this machine`);
    // The service answers from this process, which must not wait.
    const sent = [...args, join(folder, 'program.mjs'), running.service.url];
    const ran = await promisify(execFile)(command, sent, { cwd: folder, timeout: 20_000 });
    expect([ran.stderr, ran.stdout]).toEqual(['', '[true,true,"order_not_found","WebhookRefused"]\n']);
  },
);
