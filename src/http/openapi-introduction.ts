/** What a reader of the API reference is told before the operations, and the order in which these come. */
import type { JsonObject } from './openapi-components.js';

export const introduction = `Remesa moves money across borders for the merchants who use it: register a user,
have the user verified, ask for a rate, send the order, and be told what becomes of it.

**Tokens.** \`POST /oauth/token\` with your client id and secret answers an access token; send it as
\`Authorization: Bearer …\`. A token of the merchant names the user by \`userId\` or \`externalClientId\`; a token of one
user is about that user only.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. All of them, with what to do about each, are
on [the page of errors](docs/errors).

**Sending again.** Most writes take an \`Idempotency-Key\`: with the same key and the same body it is done once, and each
repetition gets the first answer.

**Changes** within this address are additive only: ignore fields and values that you do not know.`;

const aboutWebhooks = `Where we tell you what happened: a signed \`POST\` to your url, at least once; and the same events to pull.

Each has the headers \`webhook-id\` (the event's id, the same at every attempt), \`webhook-timestamp\` (seconds) and
\`webhook-signature\`, as [Standard Webhooks](https://www.standardwebhooks.com) has them, and the body
\`{"type", "timestamp", "data": {"object", "previousStatus", "sequence"}}\`. Signed is \`id.timestamp.body\`, by the bytes that
came: \`v1a\` (Ed25519) always, with the key of \`/.well-known/webhook-keys/{clientId}\`; \`v1\` (HMAC-SHA256) once you have a
secret.

Answer 2xx within 15 seconds, else it is sent again: ten attempts over 75 hours. Expect repetitions, which have the same id,
and retries that come after later events, which the sequence tells. Sequences have no gap in a channel. The guide with code to
copy is \`docs/webhooks.md\` of the source.`;

const tags: Readonly<Record<string, string>> = {
  Tokens: 'How a program of the merchant, or of one user, proves who it is.',
  Users: 'The people who send money: registered by the merchant, seen by that merchant only.',
  KYC: 'Who a user is: the hosted form, and the levels that were reached.',
  Beneficiaries: 'The people who receive money.',
  Rates: 'What a transfer costs: quotes that hold for a while.',
  Orders: 'The transfers themselves.',
  Webhooks: aboutWebhooks,
  Sandbox: 'The rehearsal: a clock that you move and outcomes that you choose.',
  Merchants: 'For operators: the clients of this service.',
  'KYC for operators': 'For operators: who waits for a decision, what was submitted, and the decision.',
  'Webhooks for operators':
    'For operators: how the urls of merchants are faring, and what was not delivered.',
  'Rates for operators': 'For operators: corridors, prices and the rates that they rest on.',
  Keys: 'For operators: the keys that sign access tokens.',
  Operators: 'For the people who run the service.',
  Operations: 'For the programs that watch over the service.',
};

/** In the order above; what it does not know comes last. */
export function tagsOf(used: ReadonlySet<string>): JsonObject[] {
  const known = Object.entries(tags).filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !(name in tags));
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ];
}
