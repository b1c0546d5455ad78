/** What a browser gets besides the pages: the style and the scripts of `web/kyc/`, kept for good under their version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { constantAnswer } from '../../http/constant-answer.js';
import { type Route, raw } from '../../http/route.js';

const folder = new URL('../../../web/kyc/', import.meta.url);
const scripts = [
  'form.js',
  'checks.js',
  'conditions.js',
  'faults.js',
  'languages.js',
  'page.js',
  'pictures.js',
  'submit.js',
  'time-limit.js',
  'uploads.js',
] as const;
const texts = Object.fromEntries(
  ['form.css', ...scripts].map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
);

export const stylesheet = texts['form.css'] ?? '';
const version = createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 16);

/** Below `/kyc/`. */
export const assetPaths = {
  style: `assets/${version}/form.css`,
  script: `assets/${version}/form.js`,
  /** What the first script will ask for, so that the browser need not wait to find out. */
  modules: scripts.slice(1).map((name) => `assets/${version}/${name}`),
} as const;

const Version = Type.Object({ version: Type.String({ examples: ['0'] }) });

export function assetRoutes(): Route[] {
  return Object.entries(texts).map(([name, text]) => {
    const contentType = `${name.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
    const answer = (cacheControl: string) =>
      constantAnswer({ contentType, make: () => text, headers: { 'cache-control': cacheControl } });
    const [kept, passing] = [answer('public, max-age=31536000, immutable'), answer('no-store')];
    return raw({
      method: 'GET',
      path: `/kyc/assets/{version}/${name}`,
      operationId: `getKycAsset_${name.replaceAll(/\W/g, '_')}`,
      tag: 'KYC',
      summary: 'What the pages of the hosted form need',
      access: { token: 'none' },
      hidden: true,
      servesPages: true,
      params: Version,
      // Another version of us may have made the page: what we have then helps, but must not be kept under its name.
      run: (request, reply) =>
        ((request.params as { version: string }).version === version ? kept : passing)(request, reply),
    });
  });
}
