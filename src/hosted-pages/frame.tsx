/**
 * The frame of every hosted page: the merchant's name and colour, the switch of languages, help, and the summary of
 * faults. Pages differ in what they put into it.
 */
import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Licensee } from '../licensee/licensee.js';
import { directionOf, type Locale } from '../locale.js';
import { icon, logoOf } from '../merchants/branding/branding.js';
import type { Branding } from '../merchants/merchant.js';
import type { FrameKey } from './words/catalogue.js';

/** The style of the frame, which comes before the styles of the pages in it. */
export const frameStyle = readFileSync(new URL('../../web/pages/frame.css', import.meta.url), 'utf8');

export interface PageMerchant {
  /** What the merchant calls itself to its users. */
  readonly name: string;
  readonly branding: Branding;
  readonly allowedOrigins: readonly string[];
  /** Undefined until the operator has entered it. */
  readonly licensee: Licensee | undefined;
}

export interface PageFault {
  /** The id of the field that the summary leads to. */
  readonly field: string;
  readonly text: string;
}

export interface FramedPage {
  readonly locale: Locale;
  readonly say: (key: FrameKey, values?: Readonly<Record<string, string>>) => string;
  readonly title: string;
  /** Undefined when it is not known whose page it is. */
  readonly merchant: PageMerchant | undefined;
  /** The text of the only style element: our own rules, and colours that we parsed. */
  readonly style: string;
  /** Further elements of the head. */
  readonly head?: ComponentChildren;
  /** Values for the scripts of the page. */
  readonly data?: Readonly<Record<`data-${string}`, string | number | undefined>>;
  /** The switch of languages. */
  readonly languages?: ComponentChildren;
  readonly faults?: readonly PageFault[];
  /** The browser reloads the page after so long, also without a script. */
  readonly refreshAfterSeconds?: number | undefined;
  /** What is done with what the person enters. */
  readonly promise?: string | undefined;
  /** Absent: the page ends with whom to ask. */
  readonly hasHelp?: boolean;
  readonly children: ComponentChildren;
}

export function framedHtml(page: FramedPage): string {
  return `<!doctype html>${renderToString(<Page page={page} />)}`;
}

function Page({ page }: { readonly page: FramedPage }) {
  const { locale, say, merchant, faults = [], refreshAfterSeconds } = page;
  const title = faults.length > 0 ? say('errorTitle', { title: page.title }) : page.title;
  return (
    <html lang={locale} dir={directionOf(locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        {refreshAfterSeconds === undefined ? null : <meta http-equiv="refresh" content={String(refreshAfterSeconds)} />}
        <title>{[title, merchant?.name].filter(Boolean).join(' – ')}</title>
        <link rel="icon" href={icon} />
        {page.head}
        {/* Not escaped, because a style is not HTML. */}
        <style dangerouslySetInnerHTML={{ __html: page.style }} />
      </head>
      <body {...page.data}>
        <a class="skip" href="#main">
          {say('skip')}
        </a>
        <header class="top">
          <div class="inner">
            <Brand merchant={merchant} />
            {page.languages}
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <Summary faults={faults} heading={say('problem')} />
          {page.children}
        </main>
        {page.hasHelp === false ? null : <Foot page={page} />}
      </body>
    </html>
  );
}

function Brand({ merchant }: { readonly merchant: PageMerchant | undefined }) {
  if (!merchant) return <span class="brand" />;
  const logo = logoOf(merchant.branding);
  return (
    <span class="brand" dir="auto">
      {logo ? <img src={logo} alt={merchant.name} /> : merchant.name}
    </span>
  );
}

/** First on the page and focused, so that users see at once what is wrong. */
function Summary({ faults, heading }: { readonly faults: readonly PageFault[]; readonly heading: string }) {
  if (faults.length === 0) return null;
  return (
    // The focus goes to the faults, also without a script.
    <div class="summary" role="alert" tabindex={-1} autofocus aria-labelledby="summary-heading">
      <h2 id="summary-heading">{heading}</h2>
      <ul>
        {faults.map(({ field, text }) => (
          <li key={field}>
            <a href={`#${field}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Foot({ page: { say, merchant, promise } }: { readonly page: FramedPage }) {
  if (!merchant) return null;
  const { supportEmail: email, supportUrl } = merchant.branding;
  const name = { merchant: merchant.name };
  return (
    <footer class="foot">
      {promise ? <p class="encrypted">{promise}</p> : null}
      <h2>{say('helpHeading')}</h2>
      <ul>
        {email ? (
          <li>
            <a href={`mailto:${email}`}>{say('helpMail', { ...name, email })}</a>
          </li>
        ) : null}
        {supportUrl ? (
          <li>
            <a href={supportUrl} target="_blank" rel="noopener noreferrer">
              {say('helpPage', name)}
            </a>
          </li>
        ) : null}
        {email || supportUrl ? null : <li>{say('helpAsk', name)}</li>}
      </ul>
      {merchant.licensee ? <LicenseeNote licensee={merchant.licensee} say={say} /> : null}
    </footer>
  );
}

/** Who moves the money by law, and where to complain: PSD2 art. 45(1) and 101(3). */
function LicenseeNote({ licensee, say }: { readonly licensee: Licensee } & Pick<FramedPage, 'say'>) {
  const { legalName, address, licence, licenceNumber, supervisors, complaints } = licensee;
  const [supervisor] = supervisors;
  return (
    <>
      <p class="licensee">
        {say('licensedBy', { name: legalName, address, licence, number: licenceNumber })}{' '}
        {supervisor ? say('supervisedBy', { supervisor: supervisor.name, phone: supervisor.phone }) : null}
      </p>
      <ul>
        <li>
          <a href={`mailto:${complaints.email}`}>{say('complaints', { email: complaints.email })}</a>
        </li>
      </ul>
    </>
  );
}
