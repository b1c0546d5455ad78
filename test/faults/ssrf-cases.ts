/** The ways in which people have made servers call what they must not, and what comes of each here. */
import type { Records } from '../harness/name-server.js';

export interface SsrfCase {
  readonly what: string;
  /** `opened` is live with 10.20.0.0/16 opened by the operator. */
  readonly mode: 'live' | 'sandbox' | 'opened';
  readonly url: string;
  /** What each name leads to, look after look; the last stays. */
  readonly names?: Readonly<Record<string, readonly Records[]>>;
  readonly expected: SsrfOutcome;
}

export interface SsrfOutcome {
  /** `faulty`: refused for its text, before any name is looked up. */
  readonly registration: 'faulty' | 'public' | 'blocked_address' | 'name_not_found';
  /** Of two attempts, each on a connection of its own, whatever the registration said. */
  readonly attempts: readonly [string, string];
  /** The addresses that a connection really reached, of all that exist. */
  readonly reached: readonly string[];
  /** How many connections were begun, by the kernel's own count. */
  readonly connectionsBegun: number;
}

const port = 8080;
const publicAddress = '93.184.216.34';
const otherPublicAddress = '8.8.8.8';
const publicIPv6 = '2606:2800:220:1::5';

function blocked(registration: SsrfOutcome['registration']): SsrfOutcome {
  return { registration, attempts: ['blocked_address', 'blocked_address'], reached: [], connectionsBegun: 0 };
}

function delivered(registration: SsrfOutcome['registration'], to: string, answer = 'answered 200'): SsrfOutcome {
  return { registration, attempts: [answer, answer], reached: [to, to], connectionsBegun: 2 };
}

/** As they can stand in a url: all of them lead to a loopback address. */
const loopbackNotations = [
  ['as usual', '127.0.0.1', true],
  ['another of the network', '127.8.9.10', true],
  ['two parts', '127.1', false],
  ['three parts', '127.0.1', false],
  ['hexadecimal parts', '0x7f.0x0.0x0.0x1', false],
  ['hexadecimal and short', '0x7f.1', false],
  ['octal parts', '0177.0.0.01', false],
  ['one decimal number', '2130706433', false],
  ['one hexadecimal number', '0x7f000001', false],
  ['one octal number', '017700000001', false],
  ['a dot at the end', '127.0.0.1.', false],
  ['percent signs', '%31%32%37.0.0.1', false],
  ['digits in circles', '①②⑦.⓪.⓪.①', false],
  ['full stops of another script', '127。0。0。1', false],
  ['full-width digits', '１２７.0.0.1', false],
  ['a tab inside', '12\t7.0.0.1', false],
  ['a line end inside', '127.0\n.0.1', false],
  ['a public user name', `${publicAddress}@127.0.0.1`, false],
  ['a public user name and password', `${publicAddress}:80@127.0.0.1`, false],
  ['mapped, dotted', '[::ffff:127.0.0.1]', false],
  ['mapped, written out', '[0:0:0:0:0:ffff:7f00:1]', false],
  ['mapped, hexadecimal', '[::ffff:7f00:1]', true],
  ['IPv6', '[::1]', true],
  ['IPv6 written out', '[0:0:0:0:0:0:0:1]', false],
  ['its name', 'localhost', true],
  ['its name in capitals', 'LOCALHOST', true],
  ['its name with a dot', 'localhost.', false],
  ['a name below it', 'anything.localhost', true],
] as const;

function loopbackCases(): SsrfCase[] {
  const reachedAs = (host: string) => {
    if (/^\[(::1|0:0:0:0:0:0:0:1)\]$/.test(host)) return '::1';
    return host === '127.8.9.10' ? host : '127.0.0.1';
  };
  return loopbackNotations.flatMap(([what, host, isPlain]) => {
    const url = `http://${host}:${port}/`;
    // Live wants https; where the text is right otherwise, that is what it is refused for.
    const inSandbox = delivered(isPlain ? 'public' : 'faulty', reachedAs(host));
    return [
      { what: `loopback, ${what}`, mode: 'live', url, expected: blocked('faulty') },
      { what: `loopback, ${what}`, mode: 'sandbox', url, expected: inSandbox },
    ] as const;
  });
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

const forbiddenLiterals = wordsOf(`
  0.0.0.0 0 10.0.0.1 172.16.0.1 172.31.255.254 192.168.1.1 100.64.0.1 100.100.100.200 169.254.169.254
  2852039166 0xa9fea9fe 168.63.129.16 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 203.0.113.7 224.0.0.1
  240.0.0.1 255.255.255.255 [::] [::127.0.0.1] [::10.0.0.1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
  [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::10.0.0.1] [100::1]
  [2001:0:4136:e378:8000:63bf:80ff:fffe] [2001:2::1] [2001:db8::1] [2002:7f00:1::1] [2002:a00:1::1]
  [3fff::1] [4000::1] [5f00::1] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1]`);
/** Which of them are not written as the parser has them, so that their text is refused already. */
const oddLiterals = new Set(
  wordsOf(`
  0 2852039166 0xa9fea9fe [::127.0.0.1] [::10.0.0.1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
  [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b:1::10.0.0.1]`),
);

function literalCases(): SsrfCase[] {
  return forbiddenLiterals.flatMap((host) => {
    const url = `http://${host}:${port}/`;
    const inSandbox = blocked(oddLiterals.has(host) ? 'faulty' : 'blocked_address');
    return [
      { what: 'a forbidden address', mode: 'live', url, expected: blocked('faulty') },
      { what: 'a forbidden address', mode: 'sandbox', url, expected: inSandbox },
    ] as const;
  });
}

const forbiddenAnswers = wordsOf(`
  0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 168.63.129.16 169.254.169.254 172.16.0.1 192.168.1.1 198.18.0.1
  255.255.255.255 :: ::1 ::7f00:1 ::808:808 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:7f00:1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1 2001:0:4136:e378:8000:63bf:80ff:fffe 2002:7f00:1::1
  2001:db8::1 fc00::1 fd00:ec2::254 fe80::1`);

const name = 'receiver.example';
const hook = `https://${name}:8443/`;
const plainHook = `http://${name}:${port}/`;

type Names = NonNullable<SsrfCase['names']>;

/** In live over https, otherwise over http, to the name of the receiver. */
function named(what: string, mode: SsrfCase['mode'], names: Names, expected: SsrfOutcome): SsrfCase {
  return { what, mode, url: mode === 'live' ? hook : plainHook, names, expected };
}

function toReceiver(...looks: Names[string]): Names {
  return { [name]: looks };
}

function answerCases(): SsrfCase[] {
  const refused = blocked('blocked_address');
  return forbiddenAnswers.flatMap((address) => [
    named(`a name that leads to ${address}`, 'live', toReceiver([address]), refused),
    named(
      `a name that leads to a public address and to ${address}`,
      'live',
      toReceiver([publicAddress, address]),
      refused,
    ),
  ]);
}

function failed(registration: SsrfOutcome['registration'], reason: string): SsrfOutcome {
  return { registration, attempts: [reason, reason], reached: [], connectionsBegun: 0 };
}

const internal = blocked('blocked_address');
const byIPv4 = delivered('public', publicAddress);
const many = Array.from({ length: 20 }, (_, index) => `93.184.216.${index}`);

function cname(...targets: string[]): Names {
  const names = [name, ...targets];
  return Object.fromEntries(targets.map((target, index) => [names[index], [{ cname: target }]]));
}

const nameCases: SsrfCase[] = [
  named('a name with a public address', 'sandbox', toReceiver([publicAddress]), byIPv4),
  named('a name with a public IPv6 address', 'sandbox', toReceiver([publicIPv6]), delivered('public', publicIPv6)),
  named(
    'a name with several public addresses',
    'sandbox',
    toReceiver([publicAddress, otherPublicAddress, publicIPv6]),
    byIPv4,
  ),
  named(
    'a name that stands for one with a public address',
    'sandbox',
    { ...cname('cdn.example'), 'cdn.example': [[publicAddress]] },
    byIPv4,
  ),
  named('a mapped public address', 'sandbox', toReceiver([`::ffff:${publicAddress}`]), byIPv4),
  named(
    'a name that stands for an internal one',
    'live',
    { ...cname('db.internal'), 'db.internal': [['10.0.0.5']] },
    internal,
  ),
  named(
    'a name that stands, over three others, for an internal one',
    'live',
    { ...cname('a.example', 'b.example', 'c.internal'), 'c.internal': [['192.168.0.9']] },
    internal,
  ),
  named(
    'a name that stands for the metadata service by IPv6 only',
    'live',
    { ...cname('meta.internal'), 'meta.internal': [['fd00:ec2::254']] },
    internal,
  ),
  named('a name that stands for localhost', 'live', { ...cname('localhost'), localhost: [['127.0.0.1']] }, internal),
  named('many public addresses and, as the last, an internal one', 'live', toReceiver([...many, '10.0.0.1']), internal),
  {
    what: 'a name of the hosts file that leads to loopback',
    mode: 'live',
    url: 'https://here.example/',
    expected: internal,
  },
  {
    what: 'a name of the hosts file that leads to loopback',
    mode: 'sandbox',
    url: `http://here.example:${port}/`,
    expected: delivered('public', '127.0.0.1'),
  },
  {
    what: 'a name of the hosts file, whatever name servers say of it',
    mode: 'live',
    url: 'https://here.example/',
    names: { 'here.example': [[publicAddress]] },
    expected: internal,
  },
  named('a name that is not there', 'live', {}, failed('name_not_found', 'name_not_found')),
  named('a name whose server fails', 'live', toReceiver('failure'), failed('name_not_found', 'name_not_found')),
  named('a name whose server never answers', 'live', toReceiver('silence'), failed('name_not_found', 'timeout')),
];

/** The first attempt reaches the public address, its retry nothing. */
function thenBlocked(registration: SsrfOutcome['registration']): SsrfOutcome {
  const attempts = ['answered 200', 'blocked_address'] as const;
  return { registration, attempts, reached: [publicAddress], connectionsBegun: 1 };
}

const changingCases: SsrfCase[] = [
  ...[['127.0.0.1'], ['169.254.169.254'], [publicAddress, '::1']].map((later) =>
    named(
      `rebinding: public when it is registered, ${later.join(' and ')} at the first attempt`,
      'live',
      toReceiver([publicAddress], later),
      blocked('public'),
    ),
  ),
  // The registration's look is skipped here, because the text is faulty in live: the attempt's is the first.
  named(
    'rebinding between look-up and connection: there is no second look-up',
    'opened',
    toReceiver([publicAddress], ['127.0.0.1']),
    thenBlocked('faulty'),
  ),
  named(
    'a change between the first attempt and its retry, to an internal address',
    'sandbox',
    toReceiver([publicAddress], [publicAddress], ['10.0.0.1']),
    thenBlocked('public'),
  ),
  named(
    'a change between the first attempt and its retry, by a name that it stands for',
    'sandbox',
    {
      ...toReceiver([publicAddress], [publicAddress], { cname: 'db.internal' }),
      'db.internal': [['10.0.0.5']],
    },
    thenBlocked('public'),
  ),
  named(
    'a change between attempts, to another public address: it is followed',
    'sandbox',
    toReceiver([publicAddress], [publicAddress], [otherPublicAddress]),
    { ...byIPv4, reached: [publicAddress, otherPublicAddress] },
  ),
  named(
    'public by IPv4 at first, with a forbidden IPv6 address at the retry',
    'sandbox',
    toReceiver([publicAddress], [publicAddress], [publicAddress, 'fd00:ec2::254']),
    thenBlocked('public'),
  ),
];

const redirectTargets = [
  `http://127.0.0.1:${port}/`,
  'http://169.254.169.254/latest/meta-data/',
  `http://[::ffff:10.0.0.1]:${port}/`,
  `http://${otherPublicAddress}:${port}/`,
];

function redirectCases(): SsrfCase[] {
  const statuses = [200, 201, 300, 301, 302, 303, 305, 307, 308];
  return statuses.flatMap((status) =>
    redirectTargets.map(
      (to): SsrfCase => ({
        what: `an answer ${status} that names another place`,
        mode: 'sandbox',
        url: `${plainHook}${status}?to=${encodeURIComponent(to)}`,
        names: { [name]: [[publicAddress]] },
        expected: delivered('public', publicAddress, `answered ${status}`),
      }),
    ),
  );
}

function opened(what: string, addresses: readonly string[], expected: SsrfOutcome): SsrfCase {
  const names = { 'inside.example': [addresses] };
  return { what, mode: 'opened', url: 'https://inside.example/', names, expected };
}

const openedCases: SsrfCase[] = [
  // Nobody speaks TLS there; that it was asked is what counts.
  opened('a network that the operator opened', ['10.20.0.5'], {
    ...failed('public', 'connection_failed'),
    connectionsBegun: 2,
  }),
  opened('the neighbour of a network that the operator opened', ['10.21.0.5'], internal),
  opened('a network that the operator opened, and its neighbour', ['10.20.0.5', '10.21.0.5'], internal),
  opened('loopback, where another network was opened', ['127.0.0.1'], internal),
];

export const ssrfCases: readonly SsrfCase[] = [
  ...loopbackCases(),
  ...literalCases(),
  ...answerCases(),
  ...nameCases,
  ...changingCases,
  ...redirectCases(),
  ...openedCases,
];
