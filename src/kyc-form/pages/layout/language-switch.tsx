/** The language switch of every page. In a document that a merchant passes on, it is a form that posts to us. */

import { LanguageLinks, LanguageMenu } from '../../../hosted-pages/language-menu.js';
import { languageNames, locales } from '../../../locale.js';
import { addressIn, type Embedding, type PageContext } from '../page-context.js';

export function LanguageSwitch({ context }: { readonly context: PageContext }) {
  const { texts, here, embedding, merchant } = context;
  const offered = merchant?.branding.languages;
  if (here === undefined || offered?.length === 1) return null;
  return (
    <LanguageMenu locale={texts.locale} label={texts.say('frame.language')}>
      {embedding ? (
        <ByForm context={context} {...embedding} />
      ) : (
        <LanguageLinks
          locale={texts.locale}
          offered={offered}
          addressIn={(locale) => addressIn(locale, context, here)}
        />
      )}
    </LanguageMenu>
  );
}

interface ByFormProps extends Embedding {
  readonly context: PageContext;
}

function ByForm({ context, baseUrl, token }: ByFormProps) {
  return (
    <form method="post" action={`${baseUrl}/kyc/form`}>
      <input type="hidden" name="token" value={token} />
      <ul>
        {(context.merchant?.branding.languages ?? locales).map((locale) => (
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
