/** A person without a browser: opens pages, posts forms as a browser would without a script, and goes where it is led. */

import type { KycLevel, Zone } from '../../src/kyc/cases/case.js';
import type { Answers } from '../../src/kyc/cases/requirements.js';
import { countriesOf } from '../../src/kyc/cases/zones.js';
import { jpegOf, photograph as pictureOf } from '../documents/images.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { exchange, type Received } from '../harness/exchange.js';
import { type MadeUser, newUser } from '../harness/users.js';
import { type KycTest, todayOf, uniqueName } from '../kyc/kyc-service.js';
import { rightAnswers, type StepAnswers } from '../kyc/people.js';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where it leads, as a whole address; empty when it leads nowhere. */
  readonly leadsTo: string;
}

export type Files = Readonly<Record<string, Uint8Array>>;

export async function look(address: string, headers: Record<string, string> = {}): Promise<Shown> {
  return shown(address, await exchange(address, { headers }));
}

/** The status page once the case is decided: until then it loads itself again. */
export function lookWhenDecided(address: string): Promise<Shown> {
  return eventually(
    async () => {
      const page = await look(address);
      return page.html.includes('http-equiv="refresh"') ? undefined : page;
    },
    { what: 'the automatic decision' },
  );
}

/** Text only: as `application/x-www-form-urlencoded`. With files: as `multipart/form-data`, the fields first. */
export async function send(
  address: string,
  fields: Readonly<Record<string, string>>,
  files?: Files,
  headers: Record<string, string> = {},
): Promise<Shown> {
  if (!files) {
    const body = new URLSearchParams(fields).toString();
    const type = 'application/x-www-form-urlencoded';
    return shown(
      address,
      await exchange(address, { method: 'POST', body, headers: { 'content-type': type, ...headers } }),
    );
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [name, bytes] of Object.entries(files))
    body.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'photo.jpg');
  const response = await fetch(address, { method: 'POST', body, headers, redirect: 'manual' });
  const { status, headers: answered } = response;
  return shown(address, { status, headers: answered, text: await response.text() });
}

function shown(address: string, { status, headers, text }: Received): Shown {
  const location = headers.get('location');
  return { status, headers, html: text, leadsTo: location === null ? '' : new URL(location, address).href };
}

/** As the three boxes of a date and the one field of everything else. */
export function fieldsOf(raw: StepAnswers['raw']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]): [string, string][] => {
      const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
      if (!date) return [[name, value]];
      const [, year = '', month = '', day = ''] = date;
      return [
        [`${name}-day`, day],
        [`${name}-month`, month],
        [`${name}-year`, year],
      ];
    }),
  );
}

const madePhotos = new Map<string, Promise<Buffer>>();

/** The smallest picture that is taken; each question has its own. */
export function photograph(question = 'documentFront'): Promise<Buffer> {
  const known = madePhotos.get(question);
  if (known) return known;
  const tint = [...question].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 160, 0);
  const made = pictureOf(600, 400, tint).then((png) => jpegOf(png));
  madePhotos.set(question, made);
  return made;
}

export async function filesOf({ documents }: StepAnswers): Promise<Files | undefined> {
  if (documents.length === 0) return undefined;
  const photos = documents.map(async (question) => [question, await photograph(question)] as const);
  return Object.fromEntries(await Promise.all(photos));
}

export interface Applicant {
  readonly user: MadeUser;
  readonly level: KycLevel;
  readonly zone: Zone;
  /** Of every step, in their order. */
  readonly steps: readonly StepAnswers[];
}

/** Somebody who lives in the zone, and what he will answer. */
export async function newApplicant(kyc: KycTest, level: KycLevel, zone: Zone, given: Answers = {}): Promise<Applicant> {
  const [countryCode = ''] = countriesOf(zone);
  const user = await newUser(kyc, kyc.acme, { countryCode });
  const today = await todayOf(kyc, kyc.acme);
  return { user, level, zone, steps: rightAnswers(level, zone, today, { ...uniqueName(user), ...given }) };
}

export async function newFormAddress(
  kyc: KycTest,
  { user, level, zone }: Pick<Applicant, 'user' | 'level' | 'zone'>,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  return done(
    await kyc.api.post(`/kyc/links?userId=${user.id}`, {
      token: kyc.acme.token,
      body: { kycLevel: level, zone, ...more },
    }),
  ).url;
}

/** Saves every step; answers the address of the page that shows all answers. */
export async function fillInSteps(address: string, applicant: Applicant): Promise<string> {
  let at = (await look(address)).leadsTo;
  for (const step of applicant.steps) {
    if (!at.endsWith(`/${step.step.id}`)) throw new Error(`${at} is not the step ${step.step.id}`);
    const answer = await send(at, fieldsOf(step.raw), await filesOf(step));
    if (answer.status !== 303)
      throw new Error(`${step.step.id}: ${answer.status}\n${faultsOf(answer.html).join('\n')}`);
    at = answer.leadsTo;
  }
  return at;
}

/** The words of the summary of faults. */
export function faultsOf(html: string): string[] {
  const summary = /<div class="summary".*?<\/ul>/s.exec(html)?.[0] ?? '';
  return [...summary.matchAll(/<a href="#([^"]+)">(.*?)<\/a>/gs)].map(
    ([, field, text]) => `${field}: ${plain(text ?? '')}`,
  );
}

export function titleOf(html: string): string {
  return plain(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '');
}

export function headingOf(html: string): string {
  return plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '');
}

/** What a reader sees of a piece of HTML without elements. */
export function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
}
