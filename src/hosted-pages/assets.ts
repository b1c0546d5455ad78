/** Serves the style and the scripts of hosted pages, which browsers may cache for ever under their version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { constantAnswer } from '../http/answers/constant-answer.js';
import { type Route, raw } from '../http/route.js';
import { frameStyle } from './frame.js';

export interface AssetFolder {
  /** Where the pages are: `/kyc`. */
  readonly below: string;
  /** The folder of the files. */
  readonly folder: URL;
  readonly style: string;
  /** False for pages with a frame of their own. */
  readonly isFramed?: boolean;
  /** The first one is loaded by the page and imports the others. */
  readonly scripts: readonly string[];
  readonly tag: string;
  /** Begins the names of the operations. */
  readonly operation: string;
}

export class PageAssets {
  /** The style of the frame and that of these pages. */
  readonly stylesheet: string;
  readonly #options: AssetFolder;
  readonly #texts: Readonly<Record<string, string>>;
  readonly #version: string;

  constructor(options: AssetFolder) {
    const { folder, style, scripts, isFramed = true } = options;
    const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
    this.#options = options;
    this.stylesheet = isFramed ? `${frameStyle}\n${read(style)}` : read(style);
    this.#texts = {
      [style]: this.stylesheet,
      ...Object.fromEntries(scripts.map((name) => [name, read(name)])),
    };
    this.#version = createHash('sha256').update(JSON.stringify(this.#texts)).digest('base64url').slice(0, 16);
  }

  /** The path below that of the pages. */
  get stylePath(): string {
    return this.#path(this.#options.style);
  }

  /** The script of the page, and the modules that it imports, so that the browser can load them at once. */
  get scriptPaths(): readonly string[] {
    return this.#options.scripts.map((name) => this.#path(name));
  }

  routes(): Route[] {
    const { below, operation, tag } = this.#options;
    return Object.entries(this.#texts).map(([name, text]) => {
      const contentType = `${name.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
      const answer = (cacheControl: string) =>
        constantAnswer({ contentType, make: () => text, headers: { 'cache-control': cacheControl } });
      const [kept, passing] = [answer('public, max-age=31536000, immutable'), answer('no-store')];
      return raw({
        method: 'GET',
        path: `${below}/assets/{version}/${name}`,
        operationId: `${operation}_${name.replaceAll(/\W/g, '_')}`,
        tag,
        summary: 'What hosted pages need',
        access: { token: 'none' },
        hidden: true,
        servesPages: true,
        params: Type.Object({ version: Type.String({ examples: ['0'] }) }),
        // The page may come from a node of another version: our file still helps, but must not be cached under that
        // version.
        run: (request, reply) =>
          ((request.params as { version: string }).version === this.#version ? kept : passing)(request, reply),
      });
    });
  }

  #path(name: string): string {
    return `assets/${this.#version}/${name}`;
  }
}
