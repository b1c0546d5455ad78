/** Templates for HTML: every inserted value is escaped. */
import { createHash } from 'node:crypto';

/** Text that is HTML already and is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

type Inserted = string | number | Html | readonly Html[];

export function html(strings: TemplateStringsArray, ...inserted: readonly Inserted[]): Html {
  return new Html(strings.map((text, index) => text + textOf(inserted[index] ?? '')).join(''));
}

function textOf(value: Inserted): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((item) => item.text).join('\n');
  return escapeHtml(String(value));
}

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => replacements[character] ?? character);
}

/** An inline icon, so that browsers do not request a favicon that does not exist. */
export const icon = new Html(
  '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 32 32%27%3E' +
    '%3Crect width=%2732%27 height=%2732%27 rx=%277%27 fill=%27%230b6b53%27/%3E' +
    '%3Cpath d=%27M7 12h15l-4-4M25 20H10l4 4%27 fill=%27none%27 stroke=%27%23fff%27 stroke-width=%273%27/%3E%3C/svg%3E">',
);

export function cspHashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
