/** What a person sees when the service is up: where everything is, and a first request that works as it is. */
import type { Config } from './config.js';

export function welcome(options: { version: string; url: string; config: Config }): string {
  const { version, url, config } = options;
  const database = config.databaseUrl
    ? 'PostgreSQL at DATABASE_URL'
    : `embedded PostgreSQL in ${config.dataDirectory}`;
  return `
  Remesa ${version}, ${config.mode}

  Listening on   ${url}
  Database       ${database}

  Try it:

    curl ${url}/readyz

  Ctrl-C stops it.

`;
}
