/** What a person sees when the service is up: where everything is, and first requests that work as they are. */
import type { Config } from './config.js';

export function welcome(options: { version: string; url: string; config: Config }): string {
  const { version, url, config } = options;
  const database = config.databaseUrl
    ? 'PostgreSQL at DATABASE_URL'
    : `embedded PostgreSQL in ${config.dataDirectory}`;
  return `
  Remesa ${version}, ${config.mode}

  Listening on    ${url}
  API reference   ${url}/docs
  Database        ${database}

  Try it:

    ${firstRequest(url, config.mode)}

  Ctrl-C stops it.

`;
}

function firstRequest(url: string, mode: Config['mode']): string {
  return mode === 'sandbox'
    ? `curl -u demo:demo-secret -d grant_type=client_credentials ${url}/oauth/token`
    : `curl ${url}/readyz`;
}
