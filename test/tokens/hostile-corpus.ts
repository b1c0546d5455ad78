/** Tokens that must be refused: known attacks on other services. */
import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, constants as rsa, sign } from 'node:crypto';
import { base64url, goodClaims, goodHeader, type Json, type OwnKey, part, signed } from './forge.js';

export interface Victim {
  readonly key: OwnKey;
  readonly issuer: string;
  readonly merchantId: number;
  /** A token that works. */
  readonly token: string;
}

export type HostileToken = readonly [name: string, token: string];

export function hostileTokens(victim: Victim): HostileToken[] {
  return [
    ...algorithms(victim),
    ...keyConfusion(victim),
    ...keyIds(victim),
    ...headers(victim),
    ...forms(victim),
    ...payloads(victim),
    ...claims(victim),
    ...times(victim),
    ...signatures(victim),
    ...bitFlips(victim),
  ];
}

const ed25519 = generateKeyPairSync('ed25519');
const foreign: OwnKey = { keyId: 'foreign', privateKey: ed25519.privateKey, publicJwk: { x: '' } };

function algorithms({ key, issuer, merchantId, token }: Victim): HostileToken[] {
  const payload = goodClaims(issuer, merchantId);
  const [, , signature = ''] = token.split('.');
  const unsigned = (alg: unknown, end: string) => `${part({ ...goodHeader(key), alg })}.${part(payload)}.${end}`;
  const none = ['none', 'None', 'NONE', 'noNE', 'nOnE', '', ' none'];
  const odd = ['eddsa', 'EDDSA', 'EdDSA ', 'Ed25519', 'Ed448', ['EdDSA'], ['none', 'EdDSA'], 0, 1, null, true, {}];
  return [
    ...none.map((alg): HostileToken => [`alg ${JSON.stringify(alg)}, no signature`, unsigned(alg, '')]),
    ...none.map((alg): HostileToken => [`alg ${JSON.stringify(alg)}, a signature`, unsigned(alg, signature)]),
    ...odd.map((alg): HostileToken => {
      const header = { ...goodHeader(key), alg };
      return [`alg ${JSON.stringify(alg)}, signed with our key`, signed(key, header, payload)];
    }),
    ['no alg, signed with our key', signed(key, { typ: 'at+jwt', kid: key.keyId }, payload)],
    ['alg EdDSA twice', signed(key, `{"alg":"none","alg":"EdDSA","typ":"at+jwt","kid":"${key.keyId}"}`, payload)],
  ];
}

function keyConfusion({ key, issuer, merchantId }: Victim): HostileToken[] {
  const payload = part(goodClaims(issuer, merchantId));
  const publicKey = createPublicKey(key.privateKey);
  const jwk = publicKey.export({ format: 'jwk' });
  const secrets: [string, string | Buffer][] = [
    ['the raw public key', Buffer.from(String(jwk.x), 'base64url')],
    ['x as text', String(jwk.x)],
    ['the JWK', JSON.stringify(jwk)],
    ['the PEM', publicKey.export({ format: 'pem', type: 'spki' })],
    ['the DER', publicKey.export({ format: 'der', type: 'spki' })],
    ['nothing', ''],
  ];
  const hmac = [256, 384, 512].flatMap((bits) =>
    secrets.map(([name, secret]): HostileToken => {
      const input = `${part({ ...goodHeader(key), alg: `HS${bits}` })}.${payload}`;
      const mac = createHmac(`sha${bits}`, secret).update(input).digest('base64url');
      return [`HS${bits} keyed with ${name}`, `${input}.${mac}`];
    }),
  );
  const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pss = { key: rsaKey, padding: rsa.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const others: [string, string | null, Parameters<typeof sign>[2]][] = [
    ['RS256', 'sha256', rsaKey],
    ['PS256', 'sha256', pss],
    ['ES256', 'sha256', { key: ecKey, dsaEncoding: 'ieee-p1363' }],
    ['EdDSA', null, ed25519.privateKey],
    ['EdDSA', null, generateKeyPairSync('ed448').privateKey],
  ];
  const asymmetric = others.map(([alg, digest, by], index): HostileToken => {
    const input = `${part({ ...goodHeader(key), alg })}.${payload}`;
    const signature = sign(digest, Buffer.from(input), by).toString('base64url');
    return [`${alg} by a foreign key (${index}) under our key id`, `${input}.${signature}`];
  });
  const zeros = `${part({ ...goodHeader(key), alg: 'ES256' })}.${payload}.${base64url(Buffer.alloc(64))}`;
  return [
    ...hmac,
    ...asymmetric,
    ['ES256 with r = s = 0', zeros],
    ['EdDSA with a signature of zeros', `${part(goodHeader(key))}.${payload}.${base64url(Buffer.alloc(64))}`],
    ['EdDSA with the neutral point', `${part(goodHeader(key))}.${payload}.${neutralPoint()}`],
    ['EdDSA by a foreign key under its own id', signed(foreign, goodHeader(foreign), goodClaims(issuer, merchantId))],
  ];
}

/** R = the neutral element, S = 0: what a verifier without its checks takes for a signature of anything. */
function neutralPoint(): string {
  const signature = Buffer.alloc(64);
  signature[0] = 1;
  return signature.toString('base64url');
}

function keyIds({ key, issuer, merchantId }: Victim): HostileToken[] {
  const ids: unknown[] = [
    '../../../etc/passwd',
    '/dev/null',
    'file:///etc/hostname',
    'http://127.0.0.1:9/key',
    "' OR 1=1 --",
    "x' UNION SELECT 'AAAA' --",
    '$(touch /tmp/x)',
    '',
    ' ',
    'x'.repeat(2000),
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'unknown-key-id',
    `${key.keyId} `,
    `${key.keyId}\u0000`,
    key.keyId.toLowerCase() === key.keyId ? key.keyId.toUpperCase() : key.keyId.toLowerCase(),
    0,
    -1,
    null,
    true,
    [key.keyId],
    [],
    { kid: key.keyId },
  ];
  const payload = goodClaims(issuer, merchantId);
  return [
    ...ids.map((kid): HostileToken => {
      const name = JSON.stringify(kid).slice(0, 40);
      return [`kid ${name}`, signed(key, { ...goodHeader(key), kid }, payload)];
    }),
    ['no kid', signed(key, { alg: 'EdDSA', typ: 'at+jwt' }, payload)],
  ];
}

function headers({ key, issuer, merchantId }: Victim): HostileToken[] {
  const payload = goodClaims(issuer, merchantId);
  const own = ed25519.publicKey.export({ format: 'jwk' });
  const additions: Json[] = [
    { jku: 'http://127.0.0.1:9/keys.json' },
    { jku: 'http://jku.attacker.example/keys.json' },
    { jku: `${issuer}/.well-known/jwks.json` },
    { x5u: 'http://127.0.0.1:9/cert.pem' },
    { x5u: 'http://x5u.attacker.example/cert.pem' },
    { x5c: ['MIIBVzCB'] },
    { x5t: 'AAAA' },
    { jwk: own },
    { crit: ['b64'], b64: false },
    { crit: ['exp'], exp: 1 },
    { crit: ['unknown'], unknown: true },
    { crit: [] },
    { b64: false },
    { zip: 'DEF' },
    { cty: 'JWT' },
    { enc: 'A256GCM' },
    { p2c: 2_000_000_000, p2s: 'AAAA' },
    { extra: 1 },
    { typ: 'JWT' },
    { typ: 'jwt' },
    { typ: 'AT+JWT' },
    { typ: 'at+JWT' },
    { typ: 'application/at+jwt' },
    { typ: '' },
    { typ: null },
    { typ: ['at+jwt'] },
  ];
  return [
    ...additions.map((addition): HostileToken => {
      const header = { ...goodHeader(key), ...addition };
      return [`header with ${JSON.stringify(addition)}`, signed(key, header, payload)];
    }),
    ['the attacker’s own key embedded and used', signed(foreign, { ...goodHeader(foreign), jwk: own }, payload)],
    ['no typ', signed(key, { alg: 'EdDSA', kid: key.keyId }, payload)],
    [
      'a header with __proto__',
      signed(key, `{"alg":"EdDSA","typ":"at+jwt","__proto__":{"kid":"${key.keyId}"}}`, payload),
    ],
    ['a header that is an array', signed(key, [], payload)],
    ['a header that is null', signed(key, 'null', payload)],
    ['a header that is text', signed(key, '"EdDSA"', payload)],
    ['a header that is not JSON', signed(key, '{alg:EdDSA}', payload)],
    [
      'a header that is not UTF-8',
      `${base64url(Buffer.from([0xff, 0xfe]))}.${part(payload)}.${base64url(randomBytes(64))}`,
    ],
  ];
}

function forms({ token, key, issuer, merchantId }: Victim): HostileToken[] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const flattened = JSON.stringify({ protected: header, payload, signature });
  const general = JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
  const jwe = { alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid: key.keyId };
  const long = signed(key, goodHeader(key), {
    ...goodClaims(issuer, merchantId),
    scope: `users ${'x'.repeat(4000)}`,
  });
  return [
    ['garbage', 'garbage'],
    ['a JWE of five parts', `${part(jwe)}..${base64url(randomBytes(12))}.${payload}.${base64url(randomBytes(16))}`],
    ['PBES2 with a huge count', `${part({ alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 2e9, p2s: 'AA' })}.a.b.c.d`],
    ['flattened JSON', flattened],
    ['general JSON', general],
    ['one part', header],
    ['two parts', `${header}.${payload}`],
    ['two parts and a dot', `${header}.${payload}.`],
    ['four parts', `${token}.${signature}`],
    ['a dot before', `.${token}`],
    ['a dot after', `${token}.`],
    ['empty parts', '..'],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['two tokens', `${token}${token}`],
    ['two tokens with a comma', `${token},${token}`],
    ['padding after the signature', `${token}==`],
    ['padding inside', `${header}==.${payload}.${signature}`],
    ['plain base64', `${header}.${payload}.${signature.slice(0, -4)}+/+/`],
    ['percent signs', `${header}.${payload}.%41${signature.slice(1)}`],
    ['quotes', `"${token}"`],
    ['a scheme before it', `Bearer:${token}`],
    ['a query', `${token}?x=1`],
    ['more than 4 KiB, signed with our key', long],
    ['12 kB', 'x'.repeat(12_000)],
    ['12 kB of dots', '.'.repeat(12_000)],
    ['a deep header', `${part(`${'['.repeat(2000)}${']'.repeat(2000)}`)}.${payload}.${signature}`],
  ];
}

function payloads({ key, issuer, merchantId }: Victim): HostileToken[] {
  const good = JSON.stringify(goodClaims(issuer, merchantId));
  const texts: [string, string][] = [
    ['not JSON', 'hello'],
    ['empty', ' '],
    ['an array', `[${good}]`],
    ['null', 'null'],
    ['a number', '1'],
    ['text', JSON.stringify(good)],
    ['cut off', good.slice(0, -1)],
    ['with something after it', `${good}x`],
    ['with the subject twice', good.replace('"sub"', `"sub":"merchant:999","sub"`)],
    ['with the expiry twice', good.replace('"exp"', '"exp":1,"exp"')],
    ['with a second expiry at the end', good.replace(/}$/, ',"exp":99999999999}')],
    ['with a claim written in escapes twice', good.replace('"aud"', '"a\\u0075d":"x","aud"')],
    ['without anything', '{}'],
  ];
  return texts.map(([name, text]) => [`a payload that is ${name}`, signed(key, goodHeader(key), text)]);
}

function claims({ key, issuer, merchantId }: Victim): HostileToken[] {
  const good = goodClaims(issuer, merchantId);
  const wrong: Record<string, unknown[]> = {
    iss: ['https://other.example', `${issuer}/`, issuer.toUpperCase(), '', [issuer], null, 1],
    aud: ['https://other.example', `${issuer}/`, '', [issuer], [issuer, 'x'], [], null, `${issuer}/operator`],
    sub: [
      'merchant:0',
      'merchant:-1',
      `merchant:0${merchantId}`,
      `merchant:${merchantId} `,
      ` merchant:${merchantId}`,
      `merchant:${merchantId}\n`,
      `MERCHANT:${merchantId}`,
      `merchant:${merchantId}.0`,
      `merchant:${merchantId};operator:1`,
      'merchant:99999999999999999999',
      'merchant:',
      `operator:${merchantId}`,
      String(merchantId),
      merchantId,
      '',
      null,
      [`merchant:${merchantId}`],
    ],
    client_id: [1, null, ['acme'], {}],
    jti: [1, null, ['x']],
    scope: [['users'], null, 1, { users: true }],
    user_id: ['7', 0, -7, 7.5, null, [7], {}, true, 1e300],
  };
  return [
    ...Object.keys(good).map((name): HostileToken => {
      const { [name]: _, ...others } = good;
      return [`no ${name}`, signed(key, goodHeader(key), others)];
    }),
    ...Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value): HostileToken => {
        const shown = JSON.stringify(value);
        return [`${name} ${shown}`, signed(key, goodHeader(key), { ...good, [name]: value })];
      }),
    ),
  ];
}

function times({ key, issuer, merchantId }: Victim): HostileToken[] {
  const now = Math.floor(Date.now() / 1000);
  const good = goodClaims(issuer, merchantId, now);
  const names = ['iat', 'nbf', 'exp'];
  const values = (name: string) => [String(good[name]), Number(good[name]) + 0.5, -1, null, [], true, {}];
  const changed: [string, Json][] = [
    ...names.flatMap((name) =>
      values(name).map((value): [string, Json] => [`${name} ${JSON.stringify(value)}`, { ...good, [name]: value }]),
    ),
    ['expired an hour ago', { ...good, iat: now - 7200, nbf: now - 7200, exp: now - 3600 }],
    ['expired just now', { ...good, iat: now - 3600, nbf: now - 3600, exp: now }],
    ['not valid for an hour', { ...good, nbf: now + 3600 }],
    ['not valid for a minute', { ...good, iat: now + 60, nbf: now + 60, exp: now + 120 }],
    ['expired before it is valid', { ...good, nbf: now + 3, exp: now + 2 }],
    ['a time beyond all numbers', { ...good, exp: 2 ** 60 }],
  ];
  const infinite = names.map((name): HostileToken => {
    const text = JSON.stringify(good).replace(new RegExp(`"${name}":\\d+`), `"${name}":1e400`);
    return [`${name} 1e400`, signed(key, goodHeader(key), text)];
  });
  return [
    ...changed.map(([name, payload]): HostileToken => [name, signed(key, goodHeader(key), payload)]),
    ...infinite,
  ];
}

function signatures({ key, issuer, merchantId, token }: Victim): HostileToken[] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const other = signed(key, goodHeader(key), { ...goodClaims(issuer, merchantId), jti: 'other' });
  const bytes = Buffer.from(signature, 'base64url');
  const detached = sign(null, Buffer.from(payload), key.privateKey).toString('base64url');
  return [
    ['the signature of another token', `${header}.${payload}.${other.split('.')[2]}`],
    ['the payload of another token', `${header}.${other.split('.')[1]}.${signature}`],
    ['a signature of the payload alone', `${header}.${payload}.${detached}`],
    ['a signature that is cut off', `${header}.${payload}.${signature.slice(0, -1)}`],
    ['half a signature', `${header}.${payload}.${signature.slice(0, 43)}`],
    ['a signature and one byte', `${header}.${payload}.${base64url(Buffer.concat([bytes, Buffer.alloc(1)]))}`],
    ['a signature twice', `${header}.${payload}.${signature}${signature}`],
    ['a signature with S + L', `${header}.${payload}.${malleable(bytes)}`],
    ['a random signature', `${header}.${payload}.${base64url(randomBytes(64))}`],
    // The last character has four bits to spare: fifteen others would decode to the same bytes.
    ['a signature written in another way', `${header}.${payload}.${otherSpelling(signature)}`],
  ];
}

/** Adds the order of the group to S: the same point, refused by every verifier that follows RFC 8032. */
function malleable(signature: Buffer): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  let sum = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
  const changed = Buffer.from(signature);
  for (let index = 32; index < 64; index += 1) {
    changed[index] = Number(sum & 255n);
    sum >>= 8n;
  }
  return changed.toString('base64url');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function otherSpelling(signature: string): string {
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  return `${signature.slice(0, -1)}${alphabet[last ^ 1]}`;
}

/** Every seventh character, and both ends of every part, one bit each. */
function bitFlips({ token }: Victim): HostileToken[] {
  const dots = [...token.matchAll(/\./g)].map(({ index }) => index);
  const ends = [0, token.length - 1, ...dots.flatMap((dot) => [dot - 1, dot + 1])];
  const sampled = Array.from({ length: Math.floor(token.length / 7) }, (_, index) => index * 7);
  const places = [...new Set([...ends, ...sampled])].filter((place) => token[place] !== '.');
  return places.map((place) => {
    const bit = 1 << (place % 6);
    const flipped = alphabet[alphabet.indexOf(token[place] ?? '') ^ bit];
    return [
      `bit ${place % 6} of character ${place} flipped`,
      `${token.slice(0, place)}${flipped}${token.slice(place + 1)}`,
    ];
  });
}
