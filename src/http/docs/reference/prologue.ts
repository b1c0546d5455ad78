/** What the examples of a page take for granted: the imports, and where the token comes from. */
import type { Sample } from './samples.js';

/** `isOfOperators`: the calls of the page take the token of an operator. */
export function prologueMarkdown(baseUrl: string, isOfOperators = false): string {
  const samples = isOfOperators ? operatorSamples(baseUrl) : merchantSamples(baseUrl);
  const intro = isOfOperators ? forOperators : forMerchants;
  return ['## Before the examples', intro, ...samples.map(fenceOf)].join('\n\n');
}

const forMerchants =
  'The examples use what these lines make. In the sandbox, the merchant `demo` has the secret `demo-secret`; elsewhere ' +
  'use your own. `USER_ID` is the `id` that [Create a user](docs/api/users#create-a-user) answers.';

const forOperators =
  'The examples use what these lines make. An operator logs in with login and password. A token ends after the time that ' +
  'the answer names.';

function fenceOf({ language, code }: Sample): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function merchantSamples(baseUrl: string): Sample[] {
  return [
    {
      language: 'sh',
      code: `TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials ${baseUrl}/oauth/token | cut -d '"' -f 4)
USER_ID=241958564297829`,
    },
    {
      language: 'ts',
      code: `import { Remesa } from '@remesa/client';

const remesa = new Remesa({ url: '${baseUrl}', clientId: 'demo', clientSecret: 'demo-secret' });
const userId = 241958564297829;`,
    },
    {
      language: 'python',
      code: `import httpx

answer = httpx.post(
    "${baseUrl}/oauth/token",
    auth=("demo", "demo-secret"),
    data={"grant_type": "client_credentials"},
)
token = answer.json()["access_token"]
user_id = 241958564297829`,
    },
  ];
}

function operatorSamples(baseUrl: string): Sample[] {
  const body = `{"login": "ana", "password": "…"}`;
  return [
    {
      language: 'sh',
      code: `TOKEN=$(curl -s -H 'Content-Type: application/json' -d '${body}' ${baseUrl}/operator/login | cut -d '"' -f 4)`,
    },
    {
      language: 'ts',
      code: `const login = await fetch('${baseUrl}/operator/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ login: 'ana', password: '…' }),
});
const authorization = \`Bearer \${(await login.json()).accessToken}\`;`,
    },
    {
      language: 'python',
      code: `import httpx

answer = httpx.post("${baseUrl}/operator/login", json={"login": "ana", "password": "…"})
token = answer.json()["accessToken"]`,
    },
  ];
}
