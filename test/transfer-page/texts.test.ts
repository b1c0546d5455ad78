/** The texts of the transfer page in all languages, and what each stage says. */
import { describe, expect, it } from 'vitest';
import { locales } from '../../src/locale.js';
import { transferCatalogues } from '../../src/transfer-page/pages/texts/transfer-texts.js';

type Tree = { readonly [key: string]: string | Tree };

function leaves(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value, `${path}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
const english = new Map(leaves(transferCatalogues.en));

describe.each(locales)('the catalogue %s', (locale) => {
  const texts = leaves(transferCatalogues[locale]);

  it('has the keys of the English one, and fills in the same values', () => {
    const told = texts.map(([key, text]) => [key, placeholders(text)]);
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries([...english].map(([key, text]) => [key, placeholders(text)])),
    );
  });

  it('has no empty text, and none with spaces at its ends', () => {
    expect(texts.filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([]);
  });

  it('is not left in English', () => {
    const same = texts.filter(([key, text]) => locale !== 'en' && text === english.get(key));
    expect(same).toEqual([]);
  });
});
