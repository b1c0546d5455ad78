/** Writes docs/sandbox-values.md from the data that `GET /sandbox/test-values` answers, and from the scenarios. */
import { destinations, exampleOf } from '../../src/beneficiaries/requirements.js';
import { scenarios } from '../../src/sandbox/scenarios/stories.js';
import { identities } from '../../src/sandbox/values/identities.js';
import { valueGroups } from '../../src/sandbox/values/values.js';

type Destination = (typeof destinations)[number];

export function sandboxValuesPage(): string {
  return `# Sandbox: test values, scenarios and your clock

A sandbox moves no money and is the same code as \`live\`. You decide what happens: by the values that you send, by running whole scenarios, by
causing single events, and by moving your clock. \`GET /sandbox/test-values\` has the values of this page as JSON.

## Run a whole scenario

\`\`\`sh
npm run demo                                          # a whole transfer, shown step by step
npm run demo -- --story returned_after_completion     # or another scenario
npm run demo -- --list                                # all of them
npm run remesa -- trigger returned_after_completion   # without explanations, of the merchant demo or of another
\`\`\`

Over the API: \`POST /sandbox/scenarios\` with \`{"name": "happy_path"}\` begins a run. Everything in it is real: the user, the KYC case, the order, the
journals, the notifications. \`GET /sandbox/scenarios/runs/{id}\` shows how far it is, and \`GET /sandbox/scenarios\` which events to expect. Several runs
may be under way at once.

| Scenario | What happens | What you learn | Ends as |
|---|---|---|---|
${scenarios.map((story) => `| \`${story.name}\` | ${story.description} | ${story.teaches} | \`${story.endsAs}\` |`).join('\n')}

## Move your clock

\`\`\`sh
BASE_URL=http://127.0.0.1:3000
TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials "$BASE_URL/oauth/token" | cut -d '"' -f 4)
curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"advanceSeconds": 345600}' "$BASE_URL/sandbox/clock"
\`\`\`

\`POST /sandbox/clock\` with \`advanceSeconds\` or \`advanceTo\` moves your clock forward. Everything that falls due on the way happens before the answer, in
order, each at its own time: unpaid orders expire, rights to cancel end, rails report, KYC levels expire, with notices before.

- One call takes at most 30 seconds. If \`isFinished\` is false, call again with \`advanceTo\` = the \`target\` of the answer.
- \`GET /sandbox/clock\` has \`nextDueAt\`: when something falls due next.
- The clock never goes back. Other merchants are not touched: \`POST /sandbox/merchants\` makes a merchant of your own for each run of your tests.
- Notifications are sent in real time. Tokens and rate limits count real time too.

## Cause a single event

\`POST /sandbox/orders/{id}/events\` makes one thing happen at once, to this order only.

| Type | Who does it |
|---|---|
| \`payout_accepted\`, \`payout_paid\`, \`payout_rejected\`, \`payout_returned\` | the rail reports it about the latest payout |
| \`refund_paid\`, \`refund_rejected\`, \`refund_returned\` | the rail reports it about the latest refund |
| \`review_started\`, \`review_approved\`, \`review_refused\`, \`information_requested\`, \`payout_retried\`, \`refund_retried\` | an operator does it |
| \`time_ran_out\` | nobody paid or answered in time |

\`POST /sandbox/kyc\` approves a level of a user at once, or, with \`"outcome": "IN_REVIEW"\`, leaves the case to you:
\`POST /sandbox/kyc/{caseId}/decision\` decides it. \`POST /sandbox/webhooks/faults\` delays, repeats, reorders or drops notifications.

## Values

${valueGroups.map(groupText).join('\n\n')}

- Upper and lower case of names do not matter. Times are by your clock.
- Cash (\`cash_pickup\`) waits for a minute with a pick-up code, and is then paid.
- Refunds are paid at once.
- The operators' guide to screening has the whole list of names that match.

## Identities

An invented person for each zone. None is on a list, so the form approves \`LEVEL_1\` automatically.

| Zone | Name | Address | The form also asks |
|---|---|---|---|
${identities.map(identityRow).join('\n')}

## Accounts

A valid account for each destination. \`GET /beneficiaries/requirements\` explains the fields.

| To | Accounts |
|---|---|
${[...new Set(destinations.map(placeOf))].map(destinationRow).join('\n')}
`;
}

function groupText({ title, field, values }: (typeof valueGroups)[number]): string {
  const rows = values.map(({ value, outcome }) => `| \`${value}\` | ${outcome} |`);
  return `### ${title}\n\nSend as ${field}:\n\n| Value | What happens |\n|---|---|\n${rows.join('\n')}`;
}

function identityRow({ zone, profile, answers }: (typeof identities)[number]): string {
  const { firstName, lastName, address, city, stateProvince, postalCode, countryCode } = profile;
  const asked = Object.entries(answers).map(([question, answer]) => `${question} ${answer}`);
  return `| \`${zone}\` | ${firstName} ${lastName} | ${address}, ${postalCode} ${city}, ${stateProvince}, ${countryCode} | ${asked.join(', ')} |`;
}

function placeOf({ country, currency }: Destination): string {
  return `${country} ${currency}`;
}

function destinationRow(place: string): string {
  const accounts = destinations.filter((destination) => placeOf(destination) === place).map(accountText);
  return `| ${place} | ${accounts.join('; ')} |`;
}

function accountText(destination: Destination): string {
  const { account } = exampleOf(destination) as { account: Record<string, string> };
  const shown = Object.entries(account).map(([field, value]) => `${field} \`${value}\``);
  return `${destination.method}: ${shown.join(', ')}`;
}
