import { describe, expect, it } from 'vitest';
import { RemesaError } from '../../src/errors.js';
import { parseJsonBody } from '../../src/http/body/json-body.js';
import { literalPointers } from '../../src/http/body/literal-pointers.js';
import { processorMs } from '../harness/processor-time.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const valueIn = (text: string) => parseJsonBody(bytes(text)).value;
const literalsIn = (text: string, ...pointers: string[]) =>
  Object.fromEntries(parseJsonBody(bytes(text), { literals: literalPointers(pointers) }).literals);

function refusalOf(body: string | Buffer): string {
  try {
    parseJsonBody(typeof body === 'string' ? bytes(body) : body);
  } catch (error) {
    if (!(error instanceof RemesaError)) throw error;
    expect([error.kind, error.code]).toEqual(['invalid', 'malformed_body']);
    return error.publicMessage;
  }
  return '';
}

describe('a repeated field', () => {
  it.each([
    ['plainly', '{"a":1,"a":2}', 'a'],
    ['with white space', '{ "a" : 1 ,\n\t"a" : 1 }', 'a'],
    ['once escaped', '{"a":1,"\\u0061":2}', 'a'],
    ['escaped in two ways', '{"\\/":1,"\\u002f":2}', '/'],
    ['in a nested object', '{"x":{"y":[{"a":1,"b":2,"a":3}]}}', 'a'],
    ['after a nested object with other names', '{"a":{"b":1,"c":2},"a":1}', 'a'],
    ['with nothing as its name', '{"":1,"":2}', ''],
    ['with an object as both values', '{"a":{},"a":{}}', 'a'],
    ['with text as its values', '{"a":"a","b":"a","a":"b"}', 'a'],
  ])('is refused: %s', (_, text, name) => {
    expect(refusalOf(text)).toBe(`The body has the field ${JSON.stringify(name)} twice.`);
  });

  it('does not include the same name in two objects, or as a name and a value', () => {
    expect(valueIn('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(valueIn('{"a":{"a":{"a":"a"}},"b":["a","a"]}')).toEqual({ a: { a: { a: 'a' } }, b: ['a', 'a'] });
    expect(valueIn('{"a":1,"A":2,"á":3}')).toEqual({ a: 1, A: 2, á: 3 });
  });
});

describe('a body beyond the limits', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"f${index}":0`).join(',')}}`;

  it('is nested in more than 20 levels', () => {
    expect(refusalOf(nested(20))).toBe('');
    expect(refusalOf(nested(21))).toBe('The body is nested deeper than 20 levels.');
    expect(refusalOf(objects(20))).toBe('');
    expect(refusalOf(objects(21))).toBe('The body is nested deeper than 20 levels.');
  });

  it('does not include a body with many elements side by side', () => {
    expect(refusalOf(`[${Array.from({ length: 1000 }, () => '[]').join(',')}]`)).toBe('');
  });

  it('has more than 500 fields, wherever they are', () => {
    expect(refusalOf(fields(500))).toBe('');
    expect(refusalOf(fields(501))).toBe('The body has more than 500 fields.');
    expect(refusalOf(`[${fields(250)},${fields(251)}]`)).toBe('The body has more than 500 fields.');
  });

  it('has a field name of more than 128 characters, however it is written', () => {
    expect(refusalOf(`{"${'k'.repeat(128)}":1}`)).toBe('');
    expect(refusalOf(`{"${'\\u006b'.repeat(128)}":1}`)).toBe('');
    for (const name of ['k'.repeat(129), '\\u006b'.repeat(129), 'k'.repeat(60_000)])
      expect(refusalOf(`{"${name}":1}`)).toBe('The body has a field name of more than 128 characters.');
  });

  it('is refused quickly, however deep it is', () => {
    const tookMs = processorMs(() => {
      expect(refusalOf('['.repeat(40_000))).toBe('The body is nested deeper than 20 levels.');
      expect(refusalOf(nested(32_000))).toBe('The body is nested deeper than 20 levels.');
    });
    expect(tookMs).toBeLessThan(5000);
  });
});

describe('a deceptive body', () => {
  it.each(['{"__proto__":{"admin":true}}', '{"a":{"__pro\\u0074o__":1}}'])('is refused: %s', (text) => {
    expect(refusalOf(text)).toBe('The body has a field named __proto__.');
  });

  it('does not change other objects', () => {
    expect(valueIn('{"constructor":{"prototype":{"admin":true}}}')).toEqual({
      constructor: { prototype: { admin: true } },
    });
    expect('admin' in {}).toBe(false);
  });

  it.each([
    ['a stray byte', Buffer.from([0x22, 0xff, 0x22])],
    ['a character cut off', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['a character written too long', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half of a pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['another encoding', Buffer.from('{"name":"José"}', 'latin1')],
    ['two bytes a character', Buffer.from('{"a":1}\u00ff', 'utf16le')],
  ])('is refused when it is not UTF-8: %s', (_, body) => {
    expect(refusalOf(body)).toMatch(/^The body is not valid (UTF-8|JSON)\.$/);
  });

  it.each(['"\\ud800"', '{"a":["x\\udc00"]}', '{"\\ud800":1}', '"\\ude00\\ud83d"'])(
    'is refused when an unpaired surrogate is escaped in it: %s',
    (text) => {
      expect(refusalOf(text)).toBe(
        'The body has text that cannot be stored: an unpaired surrogate, or a NUL character.',
      );
    },
  );

  it.each(['"\\u0000"', '{"a":"x\\u0000y"}', '{"a\\u0000":1}'])('is refused with a NUL in it: %s', (text) => {
    expect(refusalOf(text)).toBe('The body has text that cannot be stored: an unpaired surrogate, or a NUL character.');
  });

  it('does not include a complete character that is escaped', () => {
    expect(valueIn('"\\ud83d\\ude00 \\u00e9 \\\\u0000"')).toBe('😀 é \\u0000');
  });
});

describe('a body that is not JSON', () => {
  it.each(['', ' ', '\n\t'])('is refused as empty: %j', (text) => {
    expect(refusalOf(text)).toBe('The body is empty; JSON was expected.');
  });

  it.each(['{', '{"a":1,}', "{'a':1}", '{a:1}', '01', '+1', '.5', '1.', 'NaN', 'undefined', '"\n"', '1 2', '[1,]'])(
    'is refused: %j',
    (text) => {
      expect(refusalOf(text)).toBe('The body is not valid JSON.');
    },
  );

  it('does not include one that begins with a byte-order mark', () => {
    expect(valueIn('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect(refusalOf('\ufeff\ufeff{"a":1}')).toBe('The body is not valid JSON.');
  });
});

describe('a number', () => {
  it('is kept as it was written where a pointer names it, and nowhere else', () => {
    const text = '{"amount":100.50,"other":1.0,"list":[1e2,-0,{"deep":1E+400}],"amounts":{"amount":2.0}}';
    expect(literalsIn(text)).toEqual({});
    expect(literalsIn(text, '/amount')).toEqual({ '/amount': '100.50' });
    expect(literalsIn(text, '/list/*')).toEqual({ '/list/0': '1e2', '/list/1': '-0' });
    expect(literalsIn(text, '/list/*/deep', '/amounts/*')).toEqual({
      '/list/2/deep': '1E+400',
      '/amounts/amount': '2.0',
    });
    expect(literalsIn('12345678901234567890.00', '')).toEqual({ '': '12345678901234567890.00' });
  });

  it('is not found inside text', () => {
    const text = '{"a":"1.50","b":"{\\"c\\": 2}","3":"4","d\\"5":6}';
    expect(literalsIn(text, '/*', '/b/*')).toEqual({ '/d"5': '6' });
  });
});
