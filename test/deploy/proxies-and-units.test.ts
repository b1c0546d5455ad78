/** Units, proxies and manifests are what their programs accept. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/config.js';
import { newFolder } from '../harness/new-folder.js';
import { root } from '../harness/programs.js';
import { rounds } from '../harness/rounds.js';
import { check, findCompose, findTool, itWith } from './tools.js';

const deploy = join(root, 'deploy');
const systemd = findTool('systemd-analyze', 'systemd');
const caddy = findTool('caddy', 'caddy');
const nginx = findTool('nginx', 'nginx');
const kubectl = findTool('kubectl', 'kubernetes-client');
const compose = findCompose();
const print =
  'const { MODE, ROLE, DATA_DIR } = process.env; console.log(MODE, ROLE, DATA_DIR, ...process.argv.slice(1))';
const units = readdirSync(join(deploy, 'systemd')).filter((name) => name.endsWith('.service'));

describe('the units of systemd', () => {
  itWith(systemd, 'systemd-analyze').each(units)('%s is exposed as little as 1.6 or less', (name) => {
    const options = ['security', '--offline=true', '--threshold=16', '--no-pager'];
    const { code, output } = check(systemd as string, [...options, join(deploy, 'systemd', name)]);
    expect(output).toMatch(/Overall exposure level.*: 1\.\d OK/);
    expect(code).toBe(0);
  });

  it('start a program that exists, and every timer has its service', () => {
    for (const name of units) {
      const text = readFileSync(join(deploy, 'systemd', name), 'utf8');
      expect(text).toContain('ExecStart=/usr/bin/node /opt/remesa/current/dist/main.js ');
    }
    const timers = readdirSync(join(deploy, 'systemd')).filter((name) => name.endsWith('.timer'));
    expect(timers.map((name) => name.replace('.timer', '.service')).filter((name) => !units.includes(name))).toEqual(
      [],
    );
  });
});

it('the command of the units runs before systemd has made a folder of theirs', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'remesa.env'), 'MODE=live\n');
  writeFileSync(join(folder, 'api.env'), 'ROLE=api\n');
  const script = readFileSync(join(deploy, 'systemd', 'remesa'), 'utf8')
    .replaceAll('/etc/remesa', folder)
    .replace('/usr/bin/node /opt/remesa/current/dist/main.js', `${process.execPath} -e "${print}" --`);
  writeFileSync(join(folder, 'remesa'), script);
  const { code, output } = check('sh', [join(folder, 'remesa'), '@api', 'doctor']);
  expect([code, output.trim()]).toEqual([0, 'live api /var/lib/remesa/api doctor']);
});

it('every volume of the image belongs to its user, who is not root', () => {
  const [, owned = ''] = /chown 65532:65532 (.*?);/.exec(readFileSync(join(deploy, 'Dockerfile'), 'utf8')) ?? [];
  const compose = ['compose.yaml', 'compose.workers.yaml'].map((name) => readFileSync(join(deploy, name), 'utf8'));
  const mounted = [...compose.join('\n').matchAll(/- (?:data|lists|worker):(\/[\w/-]+)/g)].map(([, path]) => path);
  expect([...new Set(mounted)].sort()).toEqual(['/var/lib/remesa', '/var/lib/remesa-lists']);
  expect(owned.split(' ').sort()).toEqual(['/image/var/lib/remesa', '/image/var/lib/remesa-lists']);
});

const overlays = ['compose.workers.yaml', 'compose.observability.yaml'];
type Composed = readonly [overlays: readonly string[], services: readonly string[]];
const plain: Composed = [[], ['caddy', 'lists', 'postgres', 'remesa']];
const all: Composed = [overlays, ['caddy', 'grafana', 'lists', 'postgres', 'prometheus', 'remesa', 'worker']];
const oneByOne: readonly Composed[] = [
  [overlays.slice(0, 1), ['caddy', 'lists', 'postgres', 'remesa', 'worker']],
  [overlays.slice(1), ['caddy', 'grafana', 'lists', 'postgres', 'prometheus', 'remesa']],
];
itWith(compose && 'docker-compose', 'docker-compose').each(rounds([plain, all], [plain, ...oneByOne, all]))(
  'compose accepts compose.yaml with %j',
  (more, services) => {
    const folder = newFolder();
    cpSync(deploy, folder, { recursive: true });
    // Debian's version 1 does not know the name of a project; of everything else it has the schema.
    const base = readFileSync(join(deploy, 'compose.yaml'), 'utf8').replace(/^name: .*$/m, '');
    writeFileSync(join(folder, 'compose.yaml'), base);
    const files = ['compose.yaml', ...more].flatMap((name) => ['-f', name]);
    const { code, output } = compose?.([...files, 'config'], folder) ?? { code: null, output: '' };
    const [, merged = ''] = output.split(/^services:\n/m);
    expect([code, [...merged.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name).sort()]).toEqual([0, services]);
    const [, remesa = ''] = merged.split(/^ {2}remesa:\n/m);
    expect(/^ {6}ROLE: (\w+)$/m.exec(remesa.split(/^ {2}\w/m)[0] ?? '')?.[1]).toBe(
      more.includes(overlays[0] ?? '') ? 'api' : undefined,
    );
  },
);

it('Prometheus scrapes every process of the overlays', () => {
  const text = readFileSync(join(deploy, 'prometheus/prometheus.yaml'), 'utf8');
  expect(text).toContain('targets: [remesa:3001]');
  expect(text).toContain('{ names: [worker], type: A, port: 3001');
});

describe('the proxies', () => {
  itWith(caddy, 'caddy')('Caddy accepts its configurations', () => {
    const names = { REMESA_DOMAIN: 'pay.example.com', REMESA_OPERATORS_DOMAIN: 'operators.example.com' };
    for (const name of ['Caddyfile', 'Caddyfile.compose']) {
      const file = join(newFolder(), 'Caddyfile');
      const text = readFileSync(join(deploy, 'caddy', name), 'utf8');
      writeFileSync(
        file,
        Object.entries(names).reduce((done, [key, value]) => done.replaceAll(`{$${key}}`, value), text),
      );
      const { code, output } = check(caddy as string, ['validate', '--adapter', 'caddyfile', '--config', file]);
      expect(output).toContain('Valid configuration');
      expect(code).toBe(0);
    }
  });

  itWith(nginx, 'nginx')('nginx accepts its configuration', () => {
    const folder = newFolder();
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'fullchain.pem');
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=pay.example.com'];
    check('openssl', [...made, '-keyout', key, '-out', certificate]);
    cpSync(join(deploy, 'nginx', 'remesa-proxy.conf'), join(folder, 'remesa-proxy.conf'));
    const site = readFileSync(join(deploy, 'nginx', 'remesa.conf'), 'utf8')
      .replaceAll('/etc/ssl/remesa/', `${folder}/`)
      .replaceAll('/etc/nginx/remesa-proxy.conf', join(folder, 'remesa-proxy.conf'));
    writeFileSync(join(folder, 'site.conf'), site);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const main = `pid ${folder}/pid;\nevents {}\nhttp {\n${paths.join('\n')}\naccess_log off;\ninclude ${folder}/site.conf;\n}\n`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    const { code, output } = check(nginx as string, [
      '-t',
      '-e',
      join(folder, 'errors'),
      '-c',
      join(folder, 'nginx.conf'),
    ]);
    expect(output).toContain('test is successful');
    expect(code).toBe(0);
  });
});

describe('the manifests for Kubernetes', () => {
  itWith(kubectl, 'kubectl')('are rendered, with every name that they refer to', () => {
    const folder = newFolder();
    cpSync(join(deploy, 'kubernetes'), folder, { recursive: true });
    for (const name of ['settings.env', 'secrets.env']) cpSync(join(folder, `${name}.example`), join(folder, name));
    // The kubectl of Debian is older than `envs`, which it calls `env`.
    const kustomization = readFileSync(join(folder, 'kustomization.yaml'), 'utf8');
    writeFileSync(join(folder, 'kustomization.yaml'), kustomization.replace(/envs: \[(.*)\]/g, 'env: $1'));
    const { code, output } = check(kubectl as string, ['kustomize', folder]);
    expect([code, output]).toEqual([0, expect.stringContaining('kind: Deployment')]);
    const kinds = [...output.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
    expect([...new Set(kinds)].sort()).toEqual(
      [
        ...['ConfigMap', 'CronJob', 'Deployment', 'Job', 'Namespace', 'NetworkPolicy', 'PersistentVolumeClaim'],
        ...['PodDisruptionBudget', 'Secret', 'Service', 'ServiceAccount', 'StatefulSet'],
      ].sort(),
    );
    // Generated names have a hash of their content, and every reference has the same.
    expect(output).not.toMatch(/(secretName|name): remesa-(secrets|settings)$/m);
    expect(output).not.toMatch(/image: remesa$/m);
  });

  it('every pod is confined: not root, read-only, without capabilities', () => {
    const pods = ['api', 'worker', 'migrate', 'lists'].map((name) =>
      readFileSync(join(deploy, 'kubernetes', `${name}.yaml`), 'utf8'),
    );
    for (const text of pods) {
      expect(text).toContain('runAsUser: 65532');
      expect(text).toContain('readOnlyRootFilesystem: true');
      expect(text).toContain('drop: [ALL]');
      expect(text).toContain('type: RuntimeDefault');
    }
  });
});

it('what deployers copy names settings that exist', () => {
  const files = [
    'compose.yaml',
    'compose.workers.yaml',
    'kubernetes/settings.env.example',
    'systemd/remesa.env.example',
  ];
  const more = ['systemd/api.env.example', 'systemd/worker.env.example', 'systemd/remesa@.service'];
  const known = new Set(Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]));
  const ofOthers = /^(POSTGRES|REMESA|NODE|CADDY|PROMETHEUS|GRAFANA)_|^NET_BIND|^CMD$|^ALL$/;
  for (const file of [...files, ...more]) {
    const text = readFileSync(join(deploy, file), 'utf8').replaceAll(/#.*$/gm, '');
    const named = [...text.matchAll(/(?<![\w-])([A-Z][A-Z]+(?:_[A-Z]+)*)(?=[:=] ?\S)/g)].map(([, name = '']) => name);
    expect(
      named.filter((name) => !known.has(name) && !ofOthers.test(name)),
      file,
    ).toEqual([]);
  }
});
