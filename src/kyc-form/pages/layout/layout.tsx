/** The frame of every page: the merchant's name and colour, the switch of languages, help, and the summary of faults. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageAnswer } from '../../../http/page.js';
import type { FormMerchant } from '../../../kyc/submissions/view.js';
import { directionOf } from '../../../locale.js';
import { brandStyle, icon, logoOf } from '../../../merchants/branding/branding.js';
import { merchantName, type PageContext } from '../page-context.js';
import { assetPaths, stylesheet } from './assets.js';
import { LanguageSwitch } from './language-switch.js';
import { pageHeaders } from './policy.js';

export interface PageFault {
  /** The id of the field that the summary leads to. */
  readonly field: string;
  readonly text: string;
}

export interface PageMatter {
  readonly title: string;
  readonly faults?: readonly PageFault[];
  readonly children: ComponentChildren;
  readonly status?: number;
  /** The browser reloads the page after so long, also without a script. */
  readonly refreshAfterSeconds?: number | undefined;
  /** The time until the write token ends; the script warns before. */
  readonly expiresInSeconds?: number;
  /** The address at which the script requests more time. */
  readonly extendAt?: string;
}

export function renderPage(context: PageContext, matter: PageMatter): PageAnswer {
  const { merchant, handedOn } = context;
  const { status = 200 } = matter;
  const brand = brandStyle(merchant?.branding);
  const style = handedOn ? `${stylesheet}\n${brand}` : brand;
  const html = `<!doctype html>${renderToString(<Page context={context} matter={matter} style={style} />)}`;
  const headers = pageHeaders({
    merchant,
    styles: [style],
    formAction: handedOn ? new URL(handedOn.baseUrl).origin : "'self'",
    hasScript: !handedOn,
  });
  return { status, html, headers };
}

interface PageProps {
  readonly context: PageContext;
  readonly matter: PageMatter;
  readonly style: string;
}

function Page({ context, matter, style }: PageProps) {
  const { texts, handedOn } = context;
  const { faults = [] } = matter;
  const title = faults.length > 0 ? texts.say('frame.errorTitle', { title: matter.title }) : matter.title;
  return (
    <html lang={texts.locale} dir={directionOf(texts.locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        {matter.refreshAfterSeconds === undefined ? null : (
          <meta http-equiv="refresh" content={String(matter.refreshAfterSeconds)} />
        )}
        <title>{[title, merchantName(context)].filter(Boolean).join(' – ')}</title>
        <link rel="icon" href={icon} />
        {handedOn ? null : <Assets toKyc={context.toKyc} />}
        {/* Not escaped, because a style is not HTML. It holds our own rules and colours that we parsed. */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body
        data-expires-in={matter.expiresInSeconds}
        data-extend-at={matter.extendAt}
        data-words={handedOn ? undefined : scriptWords(context)}
      >
        <a class="skip" href="#main">
          {texts.say('frame.skip')}
        </a>
        <header class="top">
          <div class="inner">
            <Brand merchant={context.merchant} />
            <LanguageSwitch context={context} />
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <Summary faults={faults} heading={texts.say('frame.problem')} />
          {matter.children}
        </main>
        <Foot context={context} />
      </body>
    </html>
  );
}

function Assets({ toKyc }: { readonly toKyc: string }) {
  return (
    <>
      <link rel="stylesheet" href={`${toKyc}${assetPaths.style}`} />
      {assetPaths.modules.map((path) => (
        <link key={path} rel="modulepreload" href={`${toKyc}${path}`} />
      ))}
      <script type="module" src={`${toKyc}${assetPaths.script}`} />
    </>
  );
}

function Brand({ merchant }: { readonly merchant: FormMerchant | undefined }) {
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

function Foot({ context }: { readonly context: PageContext }) {
  const { texts, merchant } = context;
  if (!merchant) return null;
  const { supportEmail: email, supportUrl } = merchant.branding;
  const name = { merchant: merchant.name };
  return (
    <footer class="foot">
      <p class="encrypted">{texts.say('frame.encrypted', name)}</p>
      <h2>{texts.say('frame.helpHeading')}</h2>
      <ul>
        {email ? (
          <li>
            <a href={`mailto:${email}`}>{texts.say('frame.helpMail', { ...name, email })}</a>
          </li>
        ) : null}
        {supportUrl ? (
          <li>
            <a href={supportUrl} target="_blank" rel="noopener noreferrer">
              {texts.say('frame.helpPage', name)}
            </a>
          </li>
        ) : null}
        {email || supportUrl ? null : <li>{texts.say('frame.helpAsk', name)}</li>}
      </ul>
    </footer>
  );
}

/** The texts of the scripts, in the language of the page. */
function scriptWords({ texts, merchant }: PageContext): string {
  const name = { merchant: merchant?.name ?? '' };
  const minutes = [1, 2, 3, 4, 5].map((count) => texts.say('counts.minutesLeft', { count }));
  return JSON.stringify({
    preparing: texts.say('upload.preparing'),
    sending: texts.say('upload.sending', { percent: '#' }),
    checking: texts.say('upload.checking'),
    sent: texts.say('upload.sent'),
    preview: texts.say('upload.preview'),
    interrupted: texts.say('upload.interrupted'),
    waitForIt: texts.say('upload.waitForIt'),
    problem: texts.say('frame.problem'),
    offline: texts.say('time.offline'),
    timeHeading: texts.say('time.heading'),
    extend: texts.say('time.extend'),
    extended: texts.say('time.extended'),
    atEnd: texts.say('time.atEnd'),
    over: texts.say('time.over', name),
    minutes,
  });
}
