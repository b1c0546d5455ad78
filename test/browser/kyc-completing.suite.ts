/**
 * The longest form, filled in by a real browser: by fingers, without a script, and from right to left. `kyc-ways` fills
 * in the other levels. The tests of kyc-form fill in every zone and every level without a browser, and `npm run
 * test:faults` fills in every level of three zones here.
 */
import { describe, expect, it } from 'vitest';
import { kycLevels } from '../../src/kyc/cases/case.js';
import { useBrowser } from '../harness/browser.js';
import { rounds } from '../harness/rounds.js';
import { useKycService } from '../kyc/kyc-service.js';
import { newApplicant, newFormAddress } from '../kyc-form/visiting.js';
import { complete, desk, expectAt, expectGood, expectHeading, lookAt, phone } from './kyc-form.js';

const kyc = useKycService();
const browser = useBrowser(kyc);
/** On a phone, by fingers. */
const walks = [
  { level: 'LEVEL_3', zone: 'US', view: phone },
  ...rounds(
    [],
    kycLevels.flatMap((level) => (['EEA', 'LATAM', 'US'] as const).map((zone) => ({ level, zone, view: desk }))),
  ),
] as const;

describe('the form', () => {
  it.each(walks)(
    'is filled in and sent for $level in the zone $zone; every page is accessible',
    async ({ level, zone, view }) => {
      const applicant = await newApplicant(kyc, level, zone);
      const page = await browser.open(await newFormAddress(kyc, applicant), view);
      await complete(page, applicant.steps, {
        onPage: async (name) => {
          await lookAt(page, `${zone}-${name}`);
          await expectGood(page);
        },
      });
      await expectHeading(page, level === 'LEVEL_1' ? 'You are verified' : 'We have received your answers');
    },
  );
});

describe('the form in other ways', () => {
  it('is filled in without a script', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA');
    const view = { ...desk, withoutScripts: true };
    const page = await browser.open(await newFormAddress(kyc, applicant), view);
    await expectAt(page, 'person');
    await complete(page, applicant.steps, {
      withoutScripts: true,
      onPage: (name) => lookAt(page, `without-script-${name}`),
    });
    await expectHeading(page, 'We have received your answers');
  });

  it('is filled in in Arabic, from right to left, in the dark', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'MENA');
    const view = { ...phone, language: 'ar-EG', colorScheme: 'dark' as const };
    const page = await browser.open(await newFormAddress(kyc, applicant), view);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await complete(page, applicant.steps, {
      onPage: async (name) => {
        await lookAt(page, `arabic-${name}`);
        await expectGood(page);
      },
    });
    await expectHeading(page, 'لقد استلمنا إجاباتك');
  });
});
