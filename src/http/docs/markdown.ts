/** Turns the Markdown of our guides into HTML. Raw HTML is shown as text, and wide parts scroll by themselves. */
import { Marked, type Tokens } from 'marked';
import { html } from '../answers/html.js';

/** Returns the address of a link, or undefined when the link has no target here. */
export type AddressOf = (href: string) => string | undefined;

export function markdownHtml(markdown: string, addressOf: AddressOf): string {
  const marked = new Marked({ gfm: true, async: false });
  let tables = 0;
  marked.use({
    renderer: {
      html: ({ text }) => html`${text}`.text,
      image: ({ text }) => html`${text}`.text,
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined ? content : `${html`<a href="${address}">`.text}${content}</a>`;
      },
      code: ({ text, lang = '' }) => html`<pre tabindex="0" class="lang-${lang}"><code>${text}</code></pre>\n`.text,
      table({ header, rows }) {
        const line = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        tables += 1;
        const body = rows.map((cells) => line(cells, 'td')).join('\n');
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${line(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown) as string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export function headingsOf(markdown: string, depth: number): Heading[] {
  return new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === depth)
    .map(({ text }) => ({ id: idOf(text), text }));
}

/** Makes the id as GitHub does, so that links between sections work in both places. */
export function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
