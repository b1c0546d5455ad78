/** What a reader of the API reference is told before the operations, and the order in which these come. */
import type { JsonObject } from './components.js';

export const introduction = `Remesa is a cross-border money-transfer service. With this API a merchant registers users, has them identified, gets
quotes, and is notified of every change. Orders, which use a quote and move the money, are not available yet.

**Guides.** [Identity form](docs/guides/kyc-form): show it to your users. [Notifications](docs/guides/webhooks): receive,
verify and pull events. [Errors](docs/errors): every code, and what to do about it.

**Tokens.** \`POST /oauth/token\` with your client id and secret returns an access token. Send it as
\`Authorization: Bearer …\`. With a merchant token, name the user by \`userId\` or \`externalClientId\`. A user token is about
that user only.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Each response lists the codes that it may carry.
Only \`/oauth\` answers in the format of RFC 6749.

**Retries.** Most writes take an \`Idempotency-Key\`. The same key with the same body is carried out once, and every retry gets
the first answer.

**Changes** to this API are additive: ignore fields and values that you do not know.`;

const aboutWebhooks = `How you are notified: a signed \`POST\` to your url, at least once. The same events can be pulled from \`GET /events\`.

Each request has the headers \`webhook-id\` (the id of the event, the same at every attempt), \`webhook-timestamp\` (seconds) and
\`webhook-signature\`, as in [Standard Webhooks](https://www.standardwebhooks.com). The signed text is \`id.timestamp.body\`, with
the body byte for byte as it arrived. \`v1a\` (Ed25519) is always there; its key is at \`/.well-known/webhook-keys/{clientId}\`.
\`v1\` (HMAC-SHA256) is there once you have a secret.

Answer 2xx within 15 seconds, or it is sent again: ten attempts over 75 hours. Expect repetitions, which have the same id, and
retries that arrive after later events; \`sequence\` tells the order, and has no gaps within a channel. The
[guide](docs/guides/webhooks) has code to copy.`;

const tags: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens of the merchant and of its users (OAuth 2.0).',
  Users: 'The people who send money. Only the merchant that registered them sees them.',
  KYC: 'The identity of users: the hosted form, the cases, and the levels that were reached. [Guide](docs/guides/kyc-form).',
  Rates: 'Quotes: what a transfer costs, valid for a while. A quote contains a rate, with all fees included.',
  Webhooks: aboutWebhooks,
  Sandbox: 'Only in the sandbox: choose outcomes and inject faults.',
  Merchants: 'For operators: the merchants of this service.',
  'KYC for operators':
    'For operators: the cases that wait for a decision, their submissions, and the decision.',
  'Webhooks for operators': 'For operators: the health of the merchants’ urls, and what was not delivered.',
  'Rates for operators': 'For operators: corridors, prices, and the rates behind them.',
  Keys: 'For operators: the keys that sign access tokens.',
  Operators: 'For operators: logging in, and the accounts of operators.',
  'Audit log': 'For operators: who did what, and when.',
  Operations: 'For monitoring: probes.',
};

/** In the order above; others come last. */
export function tagsOf(used: ReadonlySet<string>): JsonObject[] {
  const known = Object.entries(tags).filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !(name in tags));
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ];
}
