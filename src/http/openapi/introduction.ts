/** The introduction of the API reference, and the order of its sections. */
import type { JsonObject } from './components.js';

export const introduction = `Remesa is a cross-border money-transfer service. With this API you register users and the people they send to,
verify identities, get quotes, place orders, and are notified of every change.

**Guides.** [Quick start](docs/guides/quick-start): a whole transfer in the sandbox, command by command. [Sandbox](docs/guides/sandbox-values): scenarios, your
clock, and values that trigger outcomes. [Identity form](docs/guides/kyc-form): show it to your users. [Beneficiaries](docs/guides/beneficiaries): who
receives. [Orders](docs/guides/orders): the transfer, and its [states](docs/guides/order-states). [Transfer pages](docs/guides/transfer-pages): for your
sender, from paying to the receipt. [Policies](docs/guides/policies): payments that do not match.
[Limits](docs/guides/limits): how much a user may send. [Notifications](docs/guides/webhooks): receive, verify and pull events. [Errors](docs/errors): every
code, and what to do about it.

**Tokens.** \`POST /oauth/token\` with your client id and secret returns an access token. Send it as
\`Authorization: Bearer …\`. With a merchant token, name the user by \`userId\` or \`externalClientId\`. A user token works for
that user only.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Each response lists its possible codes. Only
\`/oauth\` uses the error format of RFC 6749.

**Retries.** Most writes accept an \`Idempotency-Key\`. Requests with the same key and the same body are carried out once, and
every retry gets the first answer, with the header \`Idempotent-Replayed: true\`. Keys are kept for 24 hours, those of \`POST /orders\` for 30 days. A write that takes
no key refuses one (\`idempotency_key_not_accepted\`). Reads and \`/oauth\` need none.

**Changes** to this API are additive: ignore fields and values that you do not know.`;

const aboutWebhooks = `Notifications: a signed \`POST\` to your url, sent at least once. You can also pull the same events from \`GET /events\`.

Each request has the headers \`webhook-id\` (the id of the event, the same at every attempt), \`webhook-timestamp\` (seconds) and
\`webhook-signature\`, as in [Standard Webhooks](https://www.standardwebhooks.com). The signed text is \`id.timestamp.body\`, with
the body byte for byte as it arrived. \`v1a\` (Ed25519) is always present; its public key is at
\`/.well-known/webhook-keys/{clientId}\`. \`v1\` (HMAC-SHA256) is present once you have a secret.

Answer 2xx within 15 seconds; otherwise the event is sent again, ten attempts over 75 hours. Expect repetitions, which have the
same id, and retries that arrive after later events. \`sequence\` gives the order and has no gaps within a channel. The
[guide](docs/guides/webhooks) has code to copy.`;

const tags: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens for you and your users (OAuth 2.0).',
  Users: 'The people who send money. Only the merchant that registered them sees them.',
  KYC: 'Identity checks: the hosted form, the cases, and the approved levels. [Guide](docs/guides/kyc-form).',
  Beneficiaries:
    'The people and companies who receive money, and what each country requires to be known about them. [Guide](docs/guides/beneficiaries).',
  Rates: 'Quotes: the price of a transfer, valid for a limited time. The rate of a quote includes all fees.',
  Orders: 'Transfers: an order takes a quote and follows the money to its final state. [Guide](docs/guides/orders).',
  Webhooks: aboutWebhooks,
  Requests: 'What your programs asked lately, and what was answered.',
  Sandbox: 'Sandbox only: choose outcomes and inject faults. [Guide](docs/guides/sandbox-values).',
  'Sandbox for operators': 'For operators of a sandbox: the clock, scenarios and faults of a merchant.',
  Merchants: 'For operators: the merchants of this service.',
  'KYC for operators': 'For operators: the cases that wait for a decision, their submissions, and the decision.',
  'Webhooks for operators': 'For operators: the health of the merchants’ urls, and the events that were not delivered.',
  'Rates for operators': 'For operators: corridors, prices, and the rates behind them.',
  'People for operators': 'For operators: find a person behind users of all merchants, and see everything about one.',
  Monitoring: 'For operators: rules that raise alerts after money has moved, replayed over the past first.',
  Cases: 'For operators: what belongs together about one person or a group, and the report of it.',
  'Complaints for operators':
    'For operators: what customers complain about and report as errors, by when it is answered, and how it ended.',
  'Legal holds': 'For operators: whose data stays, although the time for which the law wants it has ended.',
  'Block list': 'For operators: people, accounts, phones and documents whose money does not move.',
  'Screening for operators':
    'For operators: the sanctions lists that people are compared with, the hits, and the re-screening.',
  'Ledger for operators':
    'For operators: accounts, journals, statements, and treasury entries. Double entry, append-only.',
  'Bank for operators': 'For operators: our accounts at banks, and what the banks say about them.',
  'Orders for operators':
    'For operators: find any order, see everything about it, see what does not move, and decide reviews.',
  'Payments for operators':
    'For operators: the accounts that senders pay to, the payments that arrived, and money that no order takes.',
  'Corrections for operators':
    'For operators: undo what was recorded by mistake, and record what a bank took back. Each command needs a second operator.',
  'Payouts for operators': 'For operators: what is to be paid out or back, what happened to it, and what is paused.',
  'Compliance for operators': 'For operators: who holds the licence, and what rules of countries and of the law apply.',
  'Tasks for operators': 'For operators: everything that waits for a person.',
  'Approvals for operators': 'For operators: actions that wait for a second operator.',
  Keys: 'For operators: the keys that sign access tokens.',
  Operators: 'For operators: log in and out, and manage accounts.',
  'Audit log': 'For operators: who did what, and when.',
  Operations: 'For monitoring: probes.',
};

/** Returns the used tags in the order above. Unknown tags come last. */
export function tagsOf(used: ReadonlySet<string>): JsonObject[] {
  const known = Object.entries(tags).filter(([name]) => used.has(name));
  const unknown = [...used].filter((name) => !(name in tags));
  return [...known.map(([name, description]) => ({ name, description })), ...unknown.map((name) => ({ name }))];
}
