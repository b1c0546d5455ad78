/** Named inputs of an allowed size that are made to cost as much as possible. */

export type Adversarial = readonly [name: string, text: string];

/** As much of `shape` as fits. */
export function filled(size: number, shape: string, begin = '', end = ''): string {
  const room = size - begin.length - end.length;
  return `${begin}${shape.repeat(Math.max(0, Math.floor(room / shape.length)))}${end}`;
}

export function adversarialJson(size: number): Adversarial[] {
  const names = (count: number, name: (index: number) => string) =>
    `{${Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join(',')}}`;
  const longKey = 'k'.repeat(17_000);
  return [
    ['a long key above many numbers', filled(size, '1,', `{"${longKey}":[`, '1]}')],
    ['nested keys above many numbers', nestedKeys(size)],
    ['many numbers', filled(size, '1,', '{"a":[', '1]}')],
    ['many objects', filled(size, '{},', '{"a":[', '{}]}')],
    ['many texts', filled(size, '"",', '{"a":[', '""]}')],
    ['a number of many digits', filled(size, '9', '{"amountIn":', '}')],
    ['a fraction of many digits', filled(size, '1', '{"amountIn":0.', 'e-300}')],
    ['an exponent of many digits', filled(size, '9', '{"amountIn":1e', '}')],
    ['zeros and a last digit', filled(size, '0', '{"amountIn":1.', '1}')],
    ['deep arrays', filled(size, '[')],
    ['deep objects', filled(size, '{"a":')],
    ['a key many times', filled(size, '"a":1,', '{', '"b":1}')],
    ['many keys', names(Math.floor(size / 12), String)],
    ['many keys of equal length', names(Math.floor(size / 30), (index) => String(index).padStart(20, '0'))],
    ['500 long keys', names(500, (index) => String(index).padStart(Math.floor(size / 500) - 8, 'k'))],
    ['escapes', filled(size, '\\u0041', '{"a":"', '"}')],
    ['escapes in a key', filled(size, '\\u0041', '{"', '":1}')],
    ['pairs of surrogates', filled(size, '\\ud83d\\ude00', '{"a":"', '"}')],
    ['backslashes', filled(size, '\\\\', '{"a":"', '"}')],
    ['escaped quotes without an end', filled(size, '\\"', '{"a":"')],
    ['quotes', filled(size, '"')],
    ['commas', filled(size, ',', '{', '}')],
    ['white space', filled(size, ' ', '{', '}')],
    ['a long text', filled(size, 'x', '{"url":"http://', '\\\\"}')],
  ];
}

function nestedKeys(size: number): string {
  const depth = 18;
  const key = 'k'.repeat(1000);
  return filled(size, '1,', `{"${key}":`.repeat(depth).concat('['), `1]${'}'.repeat(depth)}`);
}

export function adversarialForms(size: number): Adversarial[] {
  return [
    ['many parameters', Array.from({ length: size / 8 }, (_, index) => `p${index}=`).join('&')],
    ['a parameter many times', filled(size, 'a=1&')],
    ['ampersands', filled(size, '&')],
    ['equals signs', filled(size, '=')],
    ['percent signs', filled(size, '%')],
    ['encoded bytes that are no UTF-8', filled(size, '%ff', 'client_id=')],
    ['plus signs', filled(size, '+', 'scope=')],
    ['scopes', filled(size, 'users+', 'grant_type=client_credentials&scope=')],
    ['a long name', filled(size, 'a', '', '=1')],
    ['a long client id', filled(size, 'a', 'client_secret=x&client_id=')],
    ['digits', filled(size, '9', 'user_id=')],
  ];
}

/** For any header that is parsed: values that are expensive to split, weigh and match. */
export function adversarialFields(size: number): Adversarial[] {
  return [
    ['commas', filled(size, ',')],
    ['semicolons', filled(size, ';')],
    ['weights', filled(size, 'gzip;q=0.5,')],
    ['a long weight', filled(size, '1', 'gzip;q=0.', 'x')],
    ['a long weight of zeros', filled(size, '0', 'gzip;q=0.', 'x')],
    ['languages', filled(size, 'en,')],
    ['parts of a language', filled(size, 'a-')],
    ['spaces', filled(size, ' ', 'a', 'b')],
    ['spaces and semicolons', filled(size, ' ;', 'application/json')],
    ['parameters', filled(size, ';a=b', 'application/json')],
    ['a charset many times', filled(size, ';charset=utf-8', 'application/json')],
    ['quoted parameters', filled(size, ';a="\\"', 'application/json')],
    ['a bearer', filled(size, 'a', 'Bearer ')],
    ['a bearer and spaces', filled(size, ' ', 'Bearer a', '\u00e9')],
    ['dots of a token', filled(size, '.', 'Bearer ')],
    ['a basic', filled(size, 'YTph', 'Basic ')],
    ['addresses', filled(size, '1.1.1.1, ')],
    ['tags', filled(size, 'W/"a", ')],
    ['cookies', filled(size, 'a=b; ')],
    ['quotes', filled(size, '"')],
  ];
}

export function adversarialPaths(size: number): Adversarial[] {
  return [
    ['slashes', filled(size, '/')],
    ['one long name', filled(size, 'a', '/events/')],
    ['encoded letters', filled(size, '%41', '/events/')],
    ['encoded characters of three bytes', filled(size, '%E2%82%AC', '/kyc/form/')],
    ['faulty encoding', filled(size, '%41', '/events/', '%zz')],
    ['dots', filled(size, '../', '/')],
    ['a known path many times', filled(size, '/operator/webhooks/a')],
    ['parameters', filled(size, 'a&', '/merchant/users?')],
    ['a parameter many times', filled(size, 'limit=1&', '/merchant/users?')],
    ['numbered parameters', `/merchant/users?${Array.from({ length: size / 6 }, (_, i) => i).join('&')}`],
    ['digits', filled(size, '9', '/merchant/users?limit=')],
    ['encoded ampersands', filled(size, '%26', '/corridors?fiatIn=')],
    ['plus signs', filled(size, '+', '/corridors?fiatIn=')],
  ];
}

export function adversarialXml(size: number): Adversarial[] {
  const inside = (name: string, shape: string): Adversarial => [
    name,
    filled(size, shape, '<gesmes:Envelope>', '</gesmes:Envelope>'),
  ];
  return [
    inside('elements', '<b/>'),
    inside('open elements', '<a>'),
    inside('brackets', '<'),
    inside('comments', '<!-- -->'),
    inside('entities', '&amp;'),
    inside('instructions', '<?a?>'),
    ['attributes', filled(size, 'a="1" ', '<gesmes:Envelope><Cube ', '/></gesmes:Envelope>')],
    ['spaces', filled(size, ' ', '</Envelope>', 'x')],
    ['encodings', filled(size, 'encoding ', '<?xml ')],
  ];
}

export function adversarialCsv(size: number, head: string, line: string): Adversarial[] {
  return [
    ['quotes', filled(size, '"', head)],
    ['an open quote', filled(size, 'x\n', `${head}"`)],
    ['commas', filled(size, ',', head)],
    ['line ends', filled(size, '\r', head)],
    ['empty lines', filled(size, '\n', head)],
    ['many columns', filled(size, 'a,')],
    ['a line many times', filled(size, line, head)],
  ];
}
