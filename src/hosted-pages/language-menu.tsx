/** The switch of languages: a menu that works without a script. */
import type { ComponentChildren } from 'preact';
import { type Locale, languageNames, locales } from '../locale.js';

interface MenuProps {
  readonly locale: Locale;
  /** The word for "language". */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function LanguageMenu({ locale, label, children }: MenuProps) {
  return (
    <details class="languages">
      <summary>
        <span class="aside">{label}: </span>
        {languageNames[locale]}
      </summary>
      {children}
    </details>
  );
}

interface LinksProps {
  readonly locale: Locale;
  /** What the merchant offers. Absent: all. */
  readonly offered?: readonly Locale[] | undefined;
  /** This page in another language. */
  readonly addressIn: (locale: Locale) => string;
}

export function LanguageLinks({ locale, offered = locales, addressIn }: LinksProps) {
  return (
    <ul>
      {offered.map((other) => (
        <li key={other}>
          <a
            href={addressIn(other)}
            lang={other}
            hreflang={other}
            aria-current={other === locale ? 'true' : undefined}
            data-language={other}
          >
            {languageNames[other]}
          </a>
        </li>
      ))}
    </ul>
  );
}
