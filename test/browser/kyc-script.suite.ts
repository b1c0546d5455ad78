/** What the script adds: photos made smaller and sent ahead, words at once, more time, and nothing typed ever lost. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { expectQuiet, useBrowser } from '../harness/browser.js';
import { newFolder } from '../harness/new-folder.js';
import { useKycService } from '../kyc/kyc-service.js';
import { type Applicant, fieldsOf, newApplicant, newFormAddress, send } from '../kyc-form/visiting.js';
import { answered, desk, expectAt, expectGood, expectHeading, fillIn, lookAt, mainButton, phone } from './kyc-form.js';

const folder = newFolder();
const kyc = useKycService();
const browser = useBrowser(kyc);

/** A form that is open at the step, with everything before it saved. */
async function formAt(stepId: string, zone: Applicant['zone'] = 'EEA') {
  const applicant = await newApplicant(kyc, 'LEVEL_3', zone);
  const address = await newFormAddress(kyc, applicant);
  for (const { step, raw } of applicant.steps) {
    if (step.id === stepId) break;
    await send(`${address}/${step.id}`, fieldsOf(raw));
  }
  const answers = applicant.steps.find(({ step }) => step.id === stepId);
  if (!answers) throw new Error(`no step ${stepId}`);
  return { applicant, answers, form: address, address: `${address}/${stepId}` };
}

/**
 * As a phone takes it: large, on its side, and with notes of the camera. The noise is coarse: finer noise takes a busy
 * machine half a minute to make, to decode and to make smaller.
 */
const makeLargePhoto = () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const document = { create: { width: 2000, height: 1300, channels: 3, background: '#eeddcc' } } as const;
  return sharp({ create: { width: 1008, height: 756, channels: 3, background: '#8899aa', noise } })
    .resize(3600, 2700)
    .composite([{ input: document, left: 800, top: 700 }])
    .jpeg({ quality: 90 })
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer();
};
let made: Promise<Buffer> | undefined;
const largePhoto = () => {
  made ??= makeLargePhoto();
  return made;
};

/** A browser does not tell what was in a form with a file, so the page itself keeps it. */
const keepWhatIsSent = (page: Page) =>
  page.evaluate(`{
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      window.sentFile = new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.replace(/^.*,/, ''));
        reader.readAsDataURL(body.get('selfiePhoto'));
      });
      send.call(this, body);
    };
  }`);

/** From the disk, as people do. A large file that is handed to the browser as bytes takes it seconds. */
async function choose(page: Page, question: string, file: { name: string; buffer: Buffer }): Promise<void> {
  const path = join(folder, file.name);
  await writeFile(path, file.buffer);
  await page.locator(`[id="${question}"]`).setInputFiles(path);
}

describe('a photo', () => {
  it('is made smaller before it is sent, loses the notes of the camera, and is shown', async () => {
    const { address } = await formAt('selfie');
    const page = await browser.open(address, phone);
    await keepWhatIsSent(page);
    const photo = await largePhoto();
    await choose(page, 'selfiePhoto', { name: 'IMG_1.jpg', buffer: photo });
    await page.locator('[data-received] img').waitFor();
    const sent = Buffer.from(await page.evaluate<string>('sentFile'), 'base64');
    const { width, height, format, exif } = await sharp(sent).metadata();
    expect([width, height, format, exif]).toEqual([2400, 1800, 'jpeg', undefined]);
    expect(sent.length).toBeLessThan(photo.length / 2);
    expect(await page.locator('[data-received]').textContent()).toMatch(/^Received: photo, \d/);
    await lookAt(page, 'phone-photo');
    await expectGood(page);
    await mainButton(page).click();
    await expectAt(page, 'proofOfAddress');
  });

  it('says how far it has got when the line is slow, and the form waits for it', async () => {
    const { address } = await formAt('selfie');
    const page = await browser.open(address, phone);
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 50, downloadThroughput: -1, uploadThroughput: 20_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    await choose(page, 'selfiePhoto', { name: 'a.jpg', buffer: await largePhoto() });
    await page.getByText(/^Sending: \d+ %$/).waitFor();
    await mainButton(page).click();
    await page.getByText('Wait until the file is sent, then continue.').waitFor();
    await lookAt(page, 'phone-sending');
    await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await page.locator('[data-received] img').waitFor();
    expect(await page.getByText('Wait until the file is sent, then continue.').count()).toBe(0);
    await mainButton(page).click();
    await expectAt(page, 'proofOfAddress');
  });

  it('is refused at its field, in the language of the page, when it is none', async () => {
    const { address } = await formAt('selfie');
    const page = await browser.open(`${address}?lang=es`, phone);
    await choose(page, 'selfiePhoto', {
      name: 'a.jpg',

      buffer: Buffer.from('no picture at all'),
    });
    const fault = page.locator('#selfiePhoto-fault');
    await fault.waitFor();
    expect(await fault.textContent()).toBe(
      'Foto de su cara: aquí no se acepta este tipo de archivo. Use una foto JPEG o PNG',
    );
    await lookAt(page, 'phone-refused-file');
    await expectGood(page, [answered(422, 'Unprocessable Entity')]);
  });

  it('is explained when it has a format of phones that no browser here reads', async () => {
    const { address } = await formAt('selfie');
    const page = await browser.open(address, phone);
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(64)]);
    await choose(page, 'selfiePhoto', { name: 'IMG_2.HEIC', buffer: heic });
    await page.getByText('this is a HEIC photo, which we cannot read').waitFor();
  });

  it('is not sent when it is too large to be sent', async () => {
    const { address } = await formAt('proofOfAddress');
    const page = await browser.open(address, desk);
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(11 * 1024 * 1024)]);
    await choose(page, 'proofOfAddressFile', { name: 'bill.pdf', buffer: pdf });
    await page.getByText('The document: the file is larger than 10 MB').waitFor();
    expectQuiet(page);
  });
});

describe('a question that depends on another answer', () => {
  it('is asked only when it is due', async () => {
    const { address } = await formAt('document');
    const page = await browser.open(address, phone);
    const back = page.locator('[data-question="documentBack"]');
    expect(await back.isVisible()).toBe(false);
    await page.locator('[name="documentType"][value="identityCard"]').check({ force: true });
    expect(await back.isVisible()).toBe(true);
    await lookAt(page, 'phone-identity-card');
    await page.locator('[name="documentType"][value="passport"]').check({ force: true });
    expect(await back.isVisible()).toBe(false);
    await expectGood(page);
  });
});

describe('what is plainly wrong', () => {
  it('is said when the field is left, and taken back when it is mended', async () => {
    const { address } = await formAt('identification', 'US');
    const page = await browser.open(address, phone);
    const field = page.locator('#taxIdLastFour');
    await field.fill('12');
    await field.blur();
    await page.getByText('Enter exactly four digits, for example 1234').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectGood(page);
    await field.fill('1234');
    await field.blur();
    await page.getByText('Enter exactly four digits, for example 1234').waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-invalid')).toBe(null);
  });

  it('is not said to someone who only passes by', async () => {
    const { address } = await formAt('person');
    const page = await browser.open(address, desk);
    await page.locator('#middleName').focus();
    await page.locator('#placeOfBirth').focus();
    await page.locator('#nationality').focus();
    // Fields are checked in the order in which they are left, so that the fault of a later one comes last.
    await page.locator('#dateOfBirth-day').fill('31');
    await page.locator('#dateOfBirth-month').fill('2');
    await page.locator('#dateOfBirth-year').fill('1990');
    await page.locator('#nationality').focus();
    await page.locator('#dateOfBirth-fault').waitFor();
    expect(await page.locator('.fault').count()).toBe(1);
  });

  it('is a date that does not exist; one in Western or Arabic digits that exists is taken', async () => {
    const { address } = await formAt('person');
    const page = await browser.open(address, desk);
    const fault = page.locator('#dateOfBirth-fault');
    const enter = async (day: string, month: string, year: string) => {
      await page.locator('#dateOfBirth-day').fill(day);
      await page.locator('#dateOfBirth-month').fill(month);
      await page.locator('#dateOfBirth-year').fill(year);
      await page.locator('#placeOfBirth').focus();
    };
    const existing: [string, string, string][] = [
      ['28', '2', '1990'],
      ['٢٨', '٢', '١٩٩٠'],
    ];
    for (const date of existing) {
      await enter('31', '2', '1990');
      await fault.waitFor();
      await enter(...date);
      await fault.waitFor({ state: 'detached' });
    }
  });
});

describe('what was typed', () => {
  it('is kept when the language is switched', async () => {
    const { address } = await formAt('person');
    const page = await browser.open(address, phone);
    await page.locator('#firstName').fill('Zoë');
    await page.locator('#nationality').selectOption('FR');
    await page.locator('.languages summary').click();
    await lookAt(page, 'phone-languages');
    await page.getByRole('link', { name: 'Français' }).click();
    await expectHeading(page, 'À propos de vous');
    expect(await page.locator('#firstName').inputValue()).toBe('Zoë');
    expect(await page.locator('#nationality').inputValue()).toBe('FR');
    expect(new URL(page.url()).search).toBe('?lang=fr');
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await expectGood(page);
  });

  it('is kept when there is no connection', async () => {
    const { address, answers } = await formAt('person');
    const page = await browser.open(address, phone);
    await fillIn(page, answers);
    await page.context().setOffline(true);
    await mainButton(page).click();
    await page.getByText('There is no connection. What you entered is still here').waitFor();
    await lookAt(page, 'phone-offline');
    expect(await page.locator('#placeOfBirth').inputValue()).toBe('Some placeOfBirth');
    await page.context().setOffline(false);
    await mainButton(page).click();
    await expectAt(page, 'address');
  });

  it('is kept when an answer was not right', async () => {
    const { address, answers } = await formAt('person');
    const page = await browser.open(address, phone);
    await fillIn(page, answers);
    await page.locator('#dateOfBirth-year').fill('2020');
    await mainButton(page).click();
    await page.locator('.summary').waitFor();
    expect(await page.locator('#placeOfBirth').inputValue()).toBe('Some placeOfBirth');
    await page.locator('#dateOfBirth-year').fill('1990');
    await mainButton(page).click();
    await expectAt(page, 'address');
  });
});

describe('the time', () => {
  const setLeft = (user: Applicant['user'], interval: string) =>
    kyc.sql.query('UPDATE kyc_capabilities SET expires_at = clock_timestamp() + $2::interval WHERE user_id = $1', [
      user.id,
      interval,
    ]);

  it('is told five minutes before it runs out, and more of it is one click away', async () => {
    const { address, applicant } = await formAt('person');
    await setLeft(applicant.user, '4 minutes');
    const page = await browser.open(address, phone);
    await page.getByText('This page closes in 4 minutes. What is not saved by then is lost.').waitFor();
    await lookAt(page, 'phone-time');
    await expectGood(page);
    await page.getByRole('button', { name: 'I need more time' }).click();
    await page.getByText('You have more time now.').waitFor();
    expect(await page.locator('.timer').isVisible()).toBe(false);
    await expectGood(page);
  });

  it('is not mentioned while there is enough of it', async () => {
    const { address } = await formAt('person');
    const page = await browser.open(address, phone);
    expect(await page.locator('.timer').isVisible()).toBe(false);
    expect(await page.locator('body').getAttribute('data-expires-in')).toMatch(/^3[56]\d\d$/);
  });

  it('is told when it is over, with what to do', async () => {
    const { address, applicant } = await formAt('person');
    await setLeft(applicant.user, '3 seconds');
    const page = await browser.open(address, phone);
    await page.getByText('The time for this page is over.').waitFor();
    await lookAt(page, 'phone-time-over');
    await expectGood(page);
  });

  it('is told when it can not be extended any more', async () => {
    const { address, applicant } = await formAt('person');
    await kyc.sql.query(
      `UPDATE kyc_capabilities SET expires_at = clock_timestamp() + interval '4 minutes',
         ends_at = clock_timestamp() + interval '4 minutes' WHERE user_id = $1`,
      [applicant.user.id],
    );
    const page = await browser.open(address, phone);
    await page.getByRole('button', { name: 'I need more time' }).click();
    await page.getByText('The time cannot be extended any further.').waitFor();
  });
});
