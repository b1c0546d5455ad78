/**
 * Every zone and every level, from the contract's document to the last page, without a browser and without a script.
 * `npm run test:faults` fills in every level in every zone.
 */
import { describe, expect, it } from 'vitest';
import { kycLevels, zones } from '../../src/kyc/cases/case.js';
import { rounds } from '../harness/rounds.js';
import { useKycService } from '../kyc/kyc-service.js';
import {
  faultsOf,
  fieldsOf,
  filesOf,
  headingOf,
  look,
  lookWhenDecided,
  newApplicant,
  plain,
  send,
  titleOf,
} from './visiting.js';

const kyc = useKycService();
const all = zones.flatMap((zone) => kycLevels.map((level) => [zone, level] as const));
/** Every zone with the longest form, and every level once: a lower level asks for less of the same. */
const longest = all.filter(([zone, level]) => level === 'LEVEL_3' || zone === 'EEA');

describe.each(rounds(longest, all))('%s %s', (zone, level) => {
  it('can be filled in and sent from the contract’s document on', async () => {
    const applicant = await newApplicant(kyc, level, zone);
    const document = await kyc.api.get(`/kyc/register/${level}/${zone}?userId=${applicant.user.id}`, {
      token: kyc.acme.token,
    });
    expect(document.status).toBe(200);
    let at = actionOf(document.text);
    expect(at).toBe(`${kyc.service.url}/kyc/form`);
    let more: Record<string, string> = hiddenFieldsOf(document.text);
    for (const [index, step] of applicant.steps.entries()) {
      const answer = await send(at, { ...more, ...fieldsOf(step.raw) }, await filesOf(step));
      expect([answer.status, faultsOf(answer.html)], step.step.id).toEqual([303, []]);
      at = answer.leadsTo;
      more = {};
      const next = applicant.steps[index + 1]?.step.id ?? 'check';
      expect(at).toMatch(new RegExp(`/kyc/form/[\\w-]{49}/${next}$`));
      const page = await look(at);
      expect(page.status).toBe(200);
      const number = `Step ${index + 2} of ${applicant.steps.length + 1}`;
      expect(plain(page.html)).toContain(number);
    }
    const sent = await send(at, { consent: 'yes' });
    expect(sent.status).toBe(303);
    expect(sent.leadsTo).toMatch(/\/kyc\/status\/[\w-]{49}$/);
    const last = await lookWhenDecided(sent.leadsTo);
    expect(headingOf(last.html)).toBe(level === 'LEVEL_1' ? 'You are verified' : 'We have received your answers');
    expect(titleOf(last.html)).toContain('The merchant acme');
  });
});

function actionOf(html: string): string {
  return plain(/<form method="post" action="([^"]+)"[^>]* data-form/.exec(html)?.[1] ?? '');
}

function hiddenFieldsOf(html: string): Record<string, string> {
  const form = html.slice(html.indexOf('data-form'));
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}
