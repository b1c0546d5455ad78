/** The text that is printed when the service has started: its addresses, and first requests to copy. */
import type { Config } from '../config/config.js';

export function welcome(options: { version: string; url: string; operatorUrl: string; config: Config }): string {
  const { version, url, operatorUrl, config } = options;
  const operators = operatorUrl === url ? '' : `  Operators       ${operatorUrl}\n`;
  const database = config.databaseUrl ? 'PostgreSQL at DATABASE_URL' : `embedded PostgreSQL in ${config.dataDirectory}`;
  return `
  Remesa ${version}, ${config.mode}

  Listening on    ${url}
${operators}  Documentation   ${url}/docs
  Console         ${operatorUrl}/console
  Database        ${database}
${config.mode === 'sandbox' ? tryIt(url) : ''}
  Press Ctrl-C to stop.

`;
}

function tryIt(url: string): string {
  return `
  Operators work at /console. Make an account with npm run remesa -- operator create ana, and sign in with the password
  that it prints.

  In a second terminal, npm run demo plays a whole transfer and shows each request, answer and notification.

  The sandbox has a merchant with the client id demo and the secret demo-secret. Run these commands in this order. They get
  a token, create a user, approve its identity, get a quote, add a beneficiary, place an order, pay it, wait until it is
  paid out, and list the notifications about it:

${firstRequests(url).join('\n\n')}
`;
}

/**
 * From a token to a completed order. The README has the same requests, and the quick start shows their answers; a test
 * runs both.
 */
export function firstRequests(url: string): [token: string, user: string, ...rest: string[]] {
  const read = `curl -s -H "Authorization: Bearer $TOKEN"`;
  const send = `${read} -H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials ${url}/oauth/token | cut -d '"' -f 4)`,
    `${send} -d '{"firstName": "Ana", "lastName": "Reyes", "email": "ana@example.com", "address": "12 Calle del Sol", "city": "Valencia", "stateProvince": "Valencia", "countryCode": "ES", "postalCode": "46001"}' ${url}/user`,
    `USER_ID=$(${read} ${url}/merchant/users | grep -o '"id":[0-9]*' | tail -1 | cut -d : -f 2)`,
    `${send} -d '{"kycLevel": "LEVEL_1"}' "${url}/sandbox/kyc?userId=$USER_ID"`,
    `CODE=$(${send} -d '{"fiatIn": "EUR", "fiatOut": "MXN", "amountIn": 100}' ${url}/rates | grep -o 'rt_[0-9A-Z]*')`,
    `BENEFICIARY=$(${send} -d '{"country": "MX", "currency": "MXN", "method": "bank_account", "type": "person", "firstName": "Guadalupe", "lastName": "Ortega Ruiz", "address": {"town": "Guadalajara", "country": "MX"}, "account": {"clabe": "032180000118359719"}}' "${url}/beneficiaries?userId=$USER_ID" | grep -o 'ben_[0-9A-Z]*')`,
    `ORDER=$(${send} -d '{"rateCode": "'$CODE'", "beneficiaryId": "'$BENEFICIARY'", "purpose": "family_support"}' "${url}/orders?userId=$USER_ID" | grep -o 'ord_[0-9A-Z]*')`,
    `${send} -d '{"orderId": "'$ORDER'"}' ${url}/sandbox/payments`,
    `until ${read} "${url}/orders/$ORDER" | grep '"status":"COMPLETED"'; do sleep 0.2; done`,
    `${read} "${url}/events?channel=order"`,
  ];
}
