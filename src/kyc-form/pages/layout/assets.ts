/** Serves the style and the scripts of `web/kyc/`, which browsers may cache for ever under their version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { constantAnswer } from '../../../http/answers/constant-answer.js';
import { type Route, raw } from '../../../http/route.js';

const folder = new URL('../../../../web/kyc/', import.meta.url);
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

/** The path below `/kyc/`. */
export const assetPaths = {
  style: `assets/${version}/form.css`,
  script: `assets/${version}/form.js`,
  /** The modules that the first script imports, so that the browser can load them at once. */
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
      // The page may come from a node of another version: our file still helps, but must not be cached under that version.
      run: (request, reply) =>
        ((request.params as { version: string }).version === version ? kept : passing)(request, reply),
    });
  });
}
