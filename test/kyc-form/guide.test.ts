/**
 * docs/kyc-form.md and the first link of docs/quick-start.md, followed by a newcomer: what is pasted works, and says
 * what it should.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { KycLevel } from '../../src/kyc/cases/case.js';
import { firstRequests } from '../../src/startup/welcome.js';
import { newOperator, operatorToken } from '../harness/access.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import type { MadeUser } from '../harness/users.js';
import { rightAnswers } from '../kyc/people.js';
import { fillInSteps, look, photograph, send } from './visiting.js';

const shown = 'http://127.0.0.1:3000';
const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const shellBlocks = (text: string) => [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

const running = useService(useTestDatabase());
const [token, user] = firstRequests(shown);
const [link = '', request = '', approve = '', , settings = ''] = shellBlocks(textOf('docs/kyc-form.md'));
const variables = [...link.split('\n').slice(0, 3), request.split('\n')[0]].join('\n');

/** The user that the quick start makes. */
let made: MadeUser;

async function paste(...commands: string[]): Promise<string> {
  const text = commands.join('\n').replaceAll(shown, running.service.url);
  return (await promisify(execFile)('bash', ['-c', text])).stdout.trim();
}

/** At a form that was opened just now. */
async function complete(url: string, level: KycLevel): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const steps = rightAnswers(level, 'EEA', today);
  const check = await fillInSteps(url, { user: made, level, zone: 'EEA', steps });
  expect((await send(check, { consent: 'yes' })).status).toBe(303);
}

beforeAll(async () => {
  made = JSON.parse(await paste(token, user));
});

it('the quick start leads to a form, and to the level once that is sent', async () => {
  const [, userId = '', ofDetails = '', ofLink = '', ofLevels = ''] =
    /^(USER_ID=.*)$[\s\S]*?^(curl .*\/user\/details.*)$[\s\S]*?^(curl .*\/kyc\/links.*)$[\s\S]*?^(curl .*\/kyc\?.*)$/m.exec(
      textOf('docs/quick-start.md'),
    ) ?? [];
  expect(JSON.parse(await paste(token, userId, ofDetails))).toMatchObject({ firstName: 'Ana' });
  const { url } = JSON.parse(await paste(token, userId, ofLink));
  expect(await paste(token, userId, ofLevels)).toBe(`{"userId":${made.id},"kycLevels":[]}`);
  await complete(url, 'LEVEL_1');
  expect(await paste(token, userId, ofLevels)).toBe(`{"userId":${made.id},"kycLevels":["LEVEL_1"]}`);
  expect(textOf('docs/quick-start.md')).toMatch(/\n\{"userId":\d+,"kycLevels":\["LEVEL_1"\]\}\n/);
});

it('the guide leads from a link over a photo that is asked for again to an approval', async () => {
  await complete(JSON.parse(await paste(link)).url, 'LEVEL_2');
  expect(JSON.parse(await paste(variables, request))).toMatchObject({
    kycLevel: 'LEVEL_2',
    status: 'ACTION_REQUIRED',
    requestedParts: ['documentFront'],
  });
  const { url } = JSON.parse(await paste(link));
  const page = await look((await look(url)).leadsTo);
  expect([...page.html.matchAll(/data-question="(\w+)"/g)].map(([, question]) => question)).toEqual(['documentFront']);
  await send(`${url}/document`, {}, { documentFront: await photograph() });
  expect((await send(`${url}/check`, { consent: 'yes' })).status).toBe(303);
  const answers = await paste(variables, approve);
  expect(answers).toContain('"status":"APPROVED"');
  expect(answers.endsWith(`{"userId":${made.id},"kycLevels":["LEVEL_1","LEVEL_2"]}`)).toBe(true);
});

it('the settings of the guide are taken', async () => {
  await newOperator(running.service.database, 'ana', 'admin');
  const operator = `OPERATOR_TOKEN=${await operatorToken(running, 'ana')}`;
  expect(JSON.parse(await paste(`BASE_URL=${shown}`, operator, settings))).toMatchObject({
    clientId: 'demo',
    allowedOrigins: ['https://shop.example'],
    redirectUrls: ['https://shop.example/done'],
    branding: { displayName: 'Shop', color: '#5b2a86', supportEmail: 'help@shop.example' },
  });
});
