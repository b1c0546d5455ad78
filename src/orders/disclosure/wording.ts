/** The exact text of a disclosure in one language, and the hash by which its acceptance is recorded. */
import { createHash } from 'node:crypto';
import { supportIn } from '../../licensee/licensee.js';
import type { Locale } from '../../locale.js';
import { amount } from '../../money/amount.js';
import { isEcb } from '../../rates/board/mid-rate.js';
import type { Disclosure } from './disclosure.js';
import { DisclosureTexts } from './texts/disclosure-texts.js';

export interface DisclosureSection {
  readonly heading: string;
  readonly rows: readonly (readonly [label: string, text: string])[];
  readonly notes: readonly string[];
}

export interface Wording {
  readonly locale: Locale;
  readonly title: string;
  readonly sections: readonly DisclosureSection[];
  /** SHA-256 of language, title and sections, in hexadecimal digits. */
  readonly textHash: string;
}

export function wordingOf(disclosure: Disclosure, locale: Locale): Wording {
  const texts = new DisclosureTexts(locale);
  const { title } = texts.words;
  const sections = [
    costs(disclosure, texts),
    arrival(disclosure, texts),
    rights(disclosure, texts),
    provider(disclosure, texts),
  ];
  const textHash = createHash('sha256')
    .update(JSON.stringify([locale, title, sections]))
    .digest('hex');
  return { locale, title, sections, textHash };
}

function costs(disclosure: Disclosure, texts: DisclosureTexts): DisclosureSection {
  const { words } = texts;
  const { terms, transferAmount, exchangeRate, markupBasisPoints, conversionCost, totalCost, reference } = disclosure;
  const { amountIn, amountOut, fee } = terms;
  const rate = texts.rate(exchangeRate, amountIn.currency, amountOut.currency);
  return {
    heading: words.costs,
    rows: [
      [words.transferAmount, texts.money(transferAmount)],
      [words.fee, texts.money(fee)],
      [words.taxes, texts.money(amount(fee.currency, 0n))],
      [words.total, texts.money(amountIn)],
      [words.exchangeRate, rate],
      [texts.fill(words.markup, { source: nameOfSource(reference.source) }), texts.percent(markupBasisPoints)],
      [words.conversionCost, texts.money(conversionCost)],
      [words.totalCost, texts.money(totalCost)],
    ],
    notes: [words.notAReceipt],
  };
}

function arrival({ terms, payee, availableOn }: Disclosure, texts: DisclosureTexts): DisclosureSection {
  const { words, receipt } = texts;
  const methods: Readonly<Record<string, string>> = receipt.methods;
  return {
    heading: words.arrives,
    rows: [
      [words.totalToRecipient, texts.money(terms.amountOut)],
      [words.country, texts.country(payee.country)],
      [words.method, methods[payee.method] ?? payee.method],
      [words.availableOn, texts.day(availableOn)],
    ],
    notes: [words.availableIf, words.otherFees],
  };
}

function rights(disclosure: Disclosure, texts: DisclosureTexts): DisclosureSection {
  const { words } = texts;
  const { regime, cancellationRightMinutes: minutes, licensee } = disclosure;
  const named = { licensee: licensee.legalName };
  const ofRegime = {
    us: [texts.fill(words.errorsUs, named), words.agencyUs],
    eu: [texts.fill(words.errorsEu, named), words.refusalEu],
    other: [],
  };
  const cancel = minutes === undefined ? words.cancel : texts.fill(words.cancelUs, { minutes: String(minutes) });
  return { heading: words.rights, rows: [], notes: [cancel, ...ofRegime[regime]] };
}

function provider({ licensee, supervisor }: Disclosure, texts: DisclosureTexts): DisclosureSection {
  const { receipt } = texts;
  const { legalName, address, licence, licenceNumber, complaints } = licensee;
  const support = supportIn(licensee, texts.locale);
  const body = complaints.disputeBody;
  const rows: readonly (readonly [string, string])[] = [
    [receipt.provider, `${legalName}, ${address}`],
    [receipt.licence, `${licence} ${licenceNumber}`],
    [receipt.supervisor, joined(supervisor?.name, supervisor?.address, supervisor?.phone, supervisor?.url)],
    [receipt.support, joined(support?.phone, support?.email)],
    [receipt.complaints, joined(complaints.email, complaints.phone, complaints.address)],
    [receipt.disputeBody, joined(body?.name, body?.url)],
  ];
  return { heading: receipt.licensee, rows: rows.filter(([, text]) => text !== ''), notes: [] };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The rates of a sandbox are figures that the ECB published once. */
function nameOfSource(source: string): string {
  if (isEcb(source)) return 'ECB';
  return source === 'snapshot' ? 'ECB (sandbox)' : source;
}
