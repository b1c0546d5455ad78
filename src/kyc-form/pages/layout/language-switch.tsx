/** The language switch of every page. In a document that a merchant passes on, it is a form that posts to us. */

import { languageNames, locales } from '../../../locale.js';
import { addressIn, type HandedOn, type PageContext } from '../page-context.js';

export function LanguageSwitch({ context }: { readonly context: PageContext }) {
  const { texts, here, handedOn } = context;
  if (here === undefined) return null;
  return (
    <details class="languages">
      <summary>
        <span class="aside">{texts.say('frame.language')}: </span>
        {languageNames[texts.locale]}
      </summary>
      {handedOn ? <ByForm context={context} {...handedOn} /> : <ByLink context={context} here={here} />}
    </details>
  );
}

function ByLink({ context, here }: { readonly context: PageContext; readonly here: string }) {
  return (
    <ul>
      {locales.map((locale) => (
        <li key={locale}>
          <a
            href={addressIn(locale, context, here)}
            lang={locale}
            hreflang={locale}
            aria-current={locale === context.texts.locale ? 'true' : undefined}
            data-language={locale}
          >
            {languageNames[locale]}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface ByFormProps extends HandedOn {
  readonly context: PageContext;
}

function ByForm({ context, baseUrl, token }: ByFormProps) {
  return (
    <form method="post" action={`${baseUrl}/kyc/form`}>
      <input type="hidden" name="token" value={token} />
      <ul>
        {locales.map((locale) => (
          <li key={locale}>
            <button
              type="submit"
              name="lang"
              value={locale}
              lang={locale}
              aria-current={locale === context.texts.locale ? 'true' : undefined}
            >
              {languageNames[locale]}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
