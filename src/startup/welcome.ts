/** The text that is printed when the service has started: its addresses, and first requests to copy. */
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
  Press Ctrl-C to stop.

`;
}

function tryIt(url: string): string {
  return `
  The sandbox has a merchant with the client id demo and the secret demo-secret. Run these commands to get a token,
  create a user and get a quote:

${firstRequests(url).join('\n\n')}
`;
}

/** The README shows the same requests with their answers, and a test runs them from there. */
export function firstRequests(url: string): [token: string, user: string, quote: string] {
  const send = `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials ${url}/oauth/token | cut -d '"' -f 4)`,
    `${send} -d '{"firstName": "Ana", "lastName": "Reyes", "email": "ana@example.com", "address": "12 Calle del Sol", "city": "Valencia", "stateProvince": "Valencia", "countryCode": "ES", "postalCode": "46001"}' ${url}/user`,
    `${send} -d '{"fiatIn": "EUR", "fiatOut": "MXN", "amountIn": 100}' ${url}/rates`,
  ];
}
