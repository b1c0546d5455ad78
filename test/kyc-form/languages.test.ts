import { describe, expect, it } from 'vitest';
import { locales } from '../../src/locale.js';
import { useKycService } from '../kyc/kyc-service.js';
import { fieldsOf, headingOf, look, newApplicant, newFormAddress, plain, send } from './visiting.js';

const kyc = useKycService();
const headings = {
  en: 'About you',
  es: 'Sobre usted',
  fr: 'À propos de vous',
  pt: 'Sobre você',
  ar: 'عنك',
  hi: 'आपके बारे में',
  tl: 'Tungkol sa iyo',
  ur: 'آپ کے بارے میں',
} as const;

async function newForm(more: Record<string, string> = {}) {
  const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
  return { applicant, address: await newFormAddress(kyc, applicant, more) };
}

describe.each(locales)('in %s', (locale) => {
  it('a page says its language and direction, and is written in it', async () => {
    const { address } = await newForm();
    const { html } = await look(`${address}/person`, { 'accept-language': locale });
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' || locale === 'ur' ? 'rtl' : 'ltr'}">`);
    expect(headingOf(html)).toBe(headings[locale]);
  });

  it('a language that was switched to stays, from page to page', async () => {
    const { applicant, address } = await newForm({ locale: 'fr' });
    const entered = await look(`${address}?lang=${locale}`);
    expect(entered.leadsTo).toBe(`${address}/person?lang=${locale}`);
    expect(headingOf((await look(entered.leadsTo)).html)).toBe(headings[locale]);
    const saved = await send(entered.leadsTo, fieldsOf(applicant.steps[0]?.raw ?? {}));
    expect(saved.leadsTo).toBe(`${address}/address?lang=${locale}`);
  });

  it('every page can be switched to it', async () => {
    const { address } = await newForm();
    const pages = [
      await look(`${address}/person`),
      await send(`${address}/person`, {}),
      await look(`${kyc.service.url}/kyc/form/unknown`),
      await look(`${kyc.service.url}/kyc/status/unknown`),
      await send(`${address}/person`, { a: 'x'.repeat(70_000) }),
    ];
    for (const { html } of pages) expect(html).toMatch(new RegExp(`<a href="[^"]+\\?lang=${locale}" lang="${locale}"`));
  });

  it('the contract’s document is written in what the merchant asked for, and the pages after it too', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const document = await kyc.api.get(`/kyc/register/LEVEL_1/EEA?userId=${applicant.user.id}`, {
      token: kyc.acme.token,
      headers: { 'accept-language': locale },
    });
    expect(headingOf(document.text)).toBe(headings[locale]);
    const token = /name="token" value="([\w-]{49})"/.exec(document.text)?.[1] ?? '';
    const answer = await send(`${kyc.service.url}/kyc/form`, { token, lang: locale, step: 'person' }, undefined, {
      'accept-language': 'en',
    });
    expect(answer.status).toBe(422);
    expect(headingOf(answer.html)).toBe(headings[locale]);
    const switched = await send(`${kyc.service.url}/kyc/form`, { token, lang: locale });
    expect(switched.leadsTo).toBe(`${kyc.service.url}/kyc/form/${token}?lang=${locale}`);
  });
});

describe('a document that nobody asked for in a language', () => {
  it('leaves the choice to the browser of the person', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const { text } = await kyc.api.get(`/kyc/register/LEVEL_1/EEA?userId=${applicant.user.id}`, {
      token: kyc.acme.token,
    });
    expect(headingOf(text)).toBe('About you');
    expect(text).not.toContain('type="hidden" name="lang"');
    const token = /name="token" value="([\w-]{49})"/.exec(text)?.[1] ?? '';
    const answer = await send(`${kyc.service.url}/kyc/form`, { token, step: 'person' }, undefined, {
      'accept-language': 'es-MX,es;q=0.9',
    });
    expect(plain(answer.html)).toContain('Escriba su nombre');
  });
});
