/** What a person sees when the service is up: where everything is, and first requests that work as they are. */
import type { Config } from '../config/config.js';

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
${config.mode === 'sandbox' ? tryIt(url) : ''}
  Ctrl-C stops it.

`;
}

function tryIt(url: string): string {
  return `
  The sandbox has a merchant, client id demo, secret demo-secret. Paste these one after the other, for a token, a user
  and a quote:

${firstRequests(url).join('\n\n')}
`;
}

/** The README shows the same, with their answers; a test runs them from there. */
export function firstRequests(url: string): [token: string, user: string, quote: string] {
  const send = `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials ${url}/oauth/token | cut -d '"' -f 4)`,
    `${send} -d '{"firstName": "Ana", "lastName": "Reyes", "email": "ana@example.com", "address": "12 Calle del Sol", "city": "Valencia", "stateProvince": "Valencia", "countryCode": "ES", "postalCode": "46001"}' ${url}/user`,
    `${send} -d '{"fiatIn": "EUR", "fiatOut": "MXN", "amountIn": 100}' ${url}/rates`,
  ];
}
