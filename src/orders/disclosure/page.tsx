/** The disclosure as a page: complete in itself, without a script, as the receipt. */
import { framedHtml, type PageMerchant } from '../../hosted-pages/frame.js';
import { brandStyle } from '../../merchants/branding/branding.js';
import { paperStyle, type ReceiptPage } from '../receipt/page/receipt-page.js';
import { Row, Section } from '../receipt/page/sections.js';
import { DisclosureTexts } from './texts/disclosure-texts.js';
import type { DisclosureSection, Wording } from './wording.js';

export function disclosurePage(wording: Wording, merchant: PageMerchant): ReceiptPage {
  const { locale, title, sections } = wording;
  const style = `${paperStyle}\n${brandStyle(merchant.branding)}`;
  const texts = new DisclosureTexts(locale);
  const html = framedHtml({
    locale,
    say: (key, values) => texts.frame(key, values),
    title,
    merchant,
    style,
    hasHelp: false,
    children: (
      <article class="receipt">
        <header>
          <h1>{title}</h1>
        </header>
        {sections.map((section) => (
          <Part key={section.heading} section={section} />
        ))}
      </article>
    ),
  });
  return { html, style };
}

function Part({ section: { heading, rows, notes } }: { readonly section: DisclosureSection }) {
  return (
    <Section heading={heading}>
      {rows.length === 0 ? null : (
        <dl>
          {rows.map(([label, text]) => (
            <Row key={label} label={label}>
              {text}
            </Row>
          ))}
        </dl>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </Section>
  );
}
