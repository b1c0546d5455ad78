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

function delivered(
  registration: SsrfOutcome['registration'],
  to: string,
  answer = 'answered 200',
): SsrfOutcome {
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

const forbiddenLiterals = [
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::127.0.0.1]',
  '[::10.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::10.0.0.1]',
  '[100::1]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[2001:2::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::1]',
  '[2002:a00:1::1]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
] as const;
/** Which of them are not written as the parser has them, so that their text is refused already. */
const oddLiterals = new Set<string>([
  '0',
  '2852039166',
  '0xa9fea9fe',
  '[::127.0.0.1]',
  '[::10.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
]);

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

const forbiddenAnswers = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::808:808',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::a00:1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2002:7f00:1::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
] as const;

const name = 'receiver.example';
const hook = `https://${name}:8443/`;
const plainHook = `http://${name}:${port}/`;

function answerCases(): SsrfCase[] {
  return forbiddenAnswers.flatMap((address) => [
    {
      what: `a name that leads to ${address}`,
      mode: 'live',
      url: hook,
      names: { [name]: [[address]] },
      expected: blocked('blocked_address'),
    },
    {
      what: `a name that leads to a public address and to ${address}`,
      mode: 'live',
      url: hook,
      names: { [name]: [[publicAddress, address]] },
      expected: blocked('blocked_address'),
    },
  ]);
}

function failed(registration: SsrfOutcome['registration'], reason: string): SsrfOutcome {
  return { registration, attempts: [reason, reason], reached: [], connectionsBegun: 0 };
}

const nameCases: SsrfCase[] = [
  {
    what: 'a name with a public address',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicAddress]] },
    expected: delivered('public', publicAddress),
  },
  {
    what: 'a name with a public IPv6 address',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicIPv6]] },
    expected: delivered('public', publicIPv6),
  },
  {
    what: 'a name with several public addresses',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicAddress, otherPublicAddress, publicIPv6]] },
    expected: delivered('public', publicAddress),
  },
  {
    what: 'a name that stands for one with a public address',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [{ cname: 'cdn.example' }], 'cdn.example': [[publicAddress]] },
    expected: delivered('public', publicAddress),
  },
  {
    what: 'a mapped public address',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[`::ffff:${publicAddress}`]] },
    expected: delivered('public', publicAddress),
  },
  {
    what: 'a name that stands for an internal one',
    mode: 'live',
    url: hook,
    names: { [name]: [{ cname: 'db.internal' }], 'db.internal': [['10.0.0.5']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'a name that stands, over three others, for an internal one',
    mode: 'live',
    url: hook,
    names: {
      [name]: [{ cname: 'a.example' }],
      'a.example': [{ cname: 'b.example' }],
      'b.example': [{ cname: 'c.internal' }],
      'c.internal': [['192.168.0.9']],
    },
    expected: blocked('blocked_address'),
  },
  {
    what: 'a name that stands for the metadata service by IPv6 only',
    mode: 'live',
    url: hook,
    names: { [name]: [{ cname: 'meta.internal' }], 'meta.internal': [['fd00:ec2::254']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'a name that stands for localhost',
    mode: 'live',
    url: hook,
    names: { [name]: [{ cname: 'localhost' }], localhost: [['127.0.0.1']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'many public addresses and, as the last, an internal one',
    mode: 'live',
    url: hook,
    names: { [name]: [[...Array.from({ length: 20 }, (_, index) => `93.184.216.${index}`), '10.0.0.1']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'a name of the hosts file that leads to loopback',
    mode: 'live',
    url: 'https://here.example/',
    expected: blocked('blocked_address'),
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
    expected: blocked('blocked_address'),
  },
  {
    what: 'a name that is not there',
    mode: 'live',
    url: hook,
    expected: failed('name_not_found', 'name_not_found'),
  },
  {
    what: 'a name whose server fails',
    mode: 'live',
    url: hook,
    names: { [name]: ['failure'] },
    expected: failed('name_not_found', 'name_not_found'),
  },
  {
    what: 'a name whose server never answers',
    mode: 'live',
    url: hook,
    names: { [name]: ['silence'] },
    expected: failed('name_not_found', 'timeout'),
  },
];

const changingCases: SsrfCase[] = [
  {
    what: 'rebinding: public when it is registered, loopback at the first attempt',
    mode: 'live',
    url: hook,
    names: { [name]: [[publicAddress], ['127.0.0.1']] },
    expected: blocked('public'),
  },
  {
    what: 'rebinding: public when it is registered, the metadata service at the first attempt',
    mode: 'live',
    url: hook,
    names: { [name]: [[publicAddress], ['169.254.169.254']] },
    expected: blocked('public'),
  },
  {
    what: 'rebinding: public when it is registered, both kinds at the first attempt',
    mode: 'live',
    url: hook,
    names: { [name]: [[publicAddress], [publicAddress, '::1']] },
    expected: blocked('public'),
  },
  {
    what: 'rebinding between look-up and connection: there is no second look-up',
    mode: 'opened',
    url: plainHook,
    names: { [name]: [[publicAddress], ['127.0.0.1']] },
    // The registration's look is skipped here, because the text is faulty in live: the attempt's is the first.
    expected: {
      registration: 'faulty',
      attempts: ['answered 200', 'blocked_address'],
      reached: [publicAddress],
      connectionsBegun: 1,
    },
  },
  {
    what: 'a change between the first attempt and its retry, to an internal address',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicAddress], [publicAddress], ['10.0.0.1']] },
    expected: {
      registration: 'public',
      attempts: ['answered 200', 'blocked_address'],
      reached: [publicAddress],
      connectionsBegun: 1,
    },
  },
  {
    what: 'a change between the first attempt and its retry, by a name that it stands for',
    mode: 'sandbox',
    url: plainHook,
    names: {
      [name]: [[publicAddress], [publicAddress], { cname: 'db.internal' }],
      'db.internal': [['10.0.0.5']],
    },
    expected: {
      registration: 'public',
      attempts: ['answered 200', 'blocked_address'],
      reached: [publicAddress],
      connectionsBegun: 1,
    },
  },
  {
    what: 'a change between attempts, to another public address: it is followed',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicAddress], [publicAddress], [otherPublicAddress]] },
    expected: {
      registration: 'public',
      attempts: ['answered 200', 'answered 200'],
      reached: [publicAddress, otherPublicAddress],
      connectionsBegun: 2,
    },
  },
  {
    what: 'public by IPv4 at first, with a forbidden IPv6 address at the retry',
    mode: 'sandbox',
    url: plainHook,
    names: { [name]: [[publicAddress], [publicAddress], [publicAddress, 'fd00:ec2::254']] },
    expected: {
      registration: 'public',
      attempts: ['answered 200', 'blocked_address'],
      reached: [publicAddress],
      connectionsBegun: 1,
    },
  },
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

const openedCases: SsrfCase[] = [
  {
    what: 'a network that the operator opened',
    mode: 'opened',
    url: 'https://inside.example/',
    names: { 'inside.example': [['10.20.0.5']] },
    // Nobody speaks TLS there; that it was asked is what counts.
    expected: {
      registration: 'public',
      attempts: ['connection_failed', 'connection_failed'],
      reached: [],
      connectionsBegun: 2,
    },
  },
  {
    what: 'the neighbour of a network that the operator opened',
    mode: 'opened',
    url: 'https://inside.example/',
    names: { 'inside.example': [['10.21.0.5']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'a network that the operator opened, and its neighbour',
    mode: 'opened',
    url: 'https://inside.example/',
    names: { 'inside.example': [['10.20.0.5', '10.21.0.5']] },
    expected: blocked('blocked_address'),
  },
  {
    what: 'loopback, where another network was opened',
    mode: 'opened',
    url: 'https://inside.example/',
    names: { 'inside.example': [['127.0.0.1']] },
    expected: blocked('blocked_address'),
  },
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
