/** Pure. Elements as text, in the order in which they are given. What is undefined or has no content is left out. */

export type Content = string | undefined;

/** An element that holds others. */
export function group(name: string, ...children: readonly Content[]): Content {
  const content = children.filter((child) => child !== undefined).join('');
  return content === '' ? undefined : `<${name}>${content}</${name}>`;
}

/** An element that holds a text. */
export function value(name: string, text: string | undefined): Content {
  return text === undefined || text === '' ? undefined : `<${name}>${escaped(text)}</${name}>`;
}

export function amount(name: string, currency: string, decimal: string): string {
  return `<${name} Ccy="${escaped(currency)}">${escaped(decimal)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
