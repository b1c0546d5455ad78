/** Which urls can be registered: by their text, and by where their host leads. */
import { describe, expect, it } from 'vitest';
import { AddressGuard } from '../../src/outgoing/guard.js';
import { OutgoingError } from '../../src/outgoing/outgoing-error.js';
import { resolvesToPublic, urlFaults } from '../../src/webhooks/endpoints/endpoint-url.js';

const live = { mode: 'live', ownUrl: 'https://pay.example.com' } as const;
const sandbox = { mode: 'sandbox', ownUrl: 'http://127.0.0.1:3000' } as const;
const faultsOf = (text: string, policy: typeof live | typeof sandbox) =>
  urlFaults(text, policy).map(({ field, code, message }) => `${field} ${code}: ${message}`);

const noAddress = 'url wrong_format: must be an address such as https://example.com/hooks';

describe('in live', () => {
  it.each([
    'https://merchant.example',
    'https://merchant.example/hooks?a=b&c=%20',
    'https://MERCHANT.example:443/hooks',
    'https://merchant.example:8443/hooks',
    'https://xn--bcher-kva.example/',
    'https://a.b.c.d.merchant.example/@/hooks',
    'https://pay.example.com.merchant.example/',
    `https://merchant.example/${'x'.repeat(2023)}`,
  ])('%s is right', (text) => {
    expect(faultsOf(text, live)).toEqual([]);
  });

  it.each([
    ['', [noAddress]],
    ['merchant.example/hooks', [noAddress]],
    ['//merchant.example/hooks', [noAddress]],
    ['ftp://merchant.example/', [noAddress]],
    ['file:///etc/passwd', [noAddress]],
    ['gopher://merchant.example/', [noAddress]],
    ['https:merchant.example', [noAddress]],
    ['https:///merchant.example', [noAddress]],
    ['https:\\\\merchant.example\\', [noAddress]],
    ['https://merchant.example\\@other.example/', [noAddress]],
    ['https://merchant.example/a b', [noAddress]],
    [' https://merchant.example/', [noAddress]],
    ['https://merchant\t.example/', [noAddress]],
    ['https://merchant.example/\n', [noAddress]],
    ['https://bücher.example/', [noAddress]],
    ['https://merchant.example:99999/', [noAddress]],
    ['https://?x', [noAddress]],
    ['https://a%00b.example/', [noAddress]],
    ['http://merchant.example/', ['url not_allowed: must begin with https://']],
    ['http://merchant.example:443/', ['url not_allowed: must begin with https://']],
    ['https://merchant.example:80/', ['url not_allowed: must have port 443 or 8443']],
    ['https://merchant.example:22/', ['url not_allowed: must have port 443 or 8443']],
    ['https://user@merchant.example/', ['url not_allowed: must not hold a user name or password']],
    ['https://user:secret@merchant.example/', ['url not_allowed: must not hold a user name or password']],
    ['https://@merchant.example/', ['url not_allowed: must not hold a user name or password']],
    ['https://merchant.example/#part', ['url not_allowed: must not have a fragment (#)']],
    ['https://merchant.example/#', ['url not_allowed: must not have a fragment (#)']],
    ['https://8.8.8.8/', ['url not_allowed: must have a host name, not an address']],
    ['https://[2606:4700::1111]/', ['url not_allowed: must have a host name, not an address']],
    [
      'https://134744072/',
      [
        'url wrong_format: must have its host written as 8.8.8.8',
        'url not_allowed: must have a host name, not an address',
      ],
    ],
    ['https://merchant.example./', ['url wrong_format: must have its host written as merchant.example']],
    ['https://mer%63hant.example/', ['url wrong_format: must have its host written as merchant.example']],
    ['https://pay.example.com/hooks', ['url not_allowed: must not be an address of this service']],
    ['https://PAY.example.com:8443/', ['url not_allowed: must not be an address of this service']],
    [`https://merchant.example/${'x'.repeat(2024)}`, ['url too_long: must have at most 2048 characters']],
    [
      `http://u@pay.example.com:81/${'x'.repeat(2048)}#a`,
      [
        'url too_long: must have at most 2048 characters',
        'url not_allowed: must not hold a user name or password',
        'url not_allowed: must not have a fragment (#)',
        'url not_allowed: must not be an address of this service',
        'url not_allowed: must begin with https://',
      ],
    ],
  ])('%j is not', (text, expected) => {
    expect(faultsOf(text, live)).toEqual(expected);
  });
});

describe('in the sandbox', () => {
  it.each([
    'http://127.0.0.1:4000/hook',
    'http://localhost:4000/hook',
    'http://[::1]:4000/hook',
    'http://merchant.example:81/',
    'https://merchant.example:22/',
    'https://8.8.8.8/',
  ])('%s is right', (text) => {
    expect(faultsOf(text, sandbox)).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1:3000/hook', ['url not_allowed: must not be an address of this service']],
    ['http://localhost:3000/hook', ['url not_allowed: must not be an address of this service']],
    ['http://user@localhost:4000/', ['url not_allowed: must not hold a user name or password']],
    ['http://0x7f.1:4000/', ['url wrong_format: must have its host written as 127.0.0.1']],
    ['ws://localhost:4000/', [noAddress]],
  ])('%s is not', (text, expected) => {
    expect(faultsOf(text, sandbox)).toEqual(expected);
  });
});

describe('a host', () => {
  const guardOf = (resolve: () => Promise<string[]>, allowsLoopback = false) =>
    new AddressGuard({ allowsLoopback, allowedNetworks: [] }, resolve);
  const url = 'https://merchant.example/';

  it.each([
    ['to the internet', ['93.184.216.34', '2606:2800:220:1::5'], 'public'],
    ['inside', ['10.0.0.1'], 'blocked_address'],
    ['to both', ['93.184.216.34', '10.0.0.1'], 'blocked_address'],
    ['to loopback', ['127.0.0.1'], 'blocked_address'],
    ['to what is no address', ['93.184.216.34', 'cdn.example'], 'blocked_address'],
    ['nowhere', [], 'name_not_found'],
  ])('%s', async (_what, addresses, expected) => {
    expect(
      await resolvesToPublic(
        url,
        guardOf(async () => addresses),
      ),
    ).toBe(expected);
  });

  it.each([
    ['name_not_found', 'name_not_found'],
    ['timeout', 'name_not_found'],
  ] as const)('leads nowhere when its look-up ends with %s', async (reason, expected) => {
    const guard = guardOf(async () => {
      throw new OutgoingError(reason);
    });
    expect(await resolvesToPublic(url, guard)).toBe(expected);
  });

  it('leads where an address says, without a look-up', async () => {
    const guard = guardOf(async () => {
      throw new Error('nothing is to be looked up');
    }, true);
    expect(await resolvesToPublic('http://127.0.0.1:4000/', guard)).toBe('public');
    expect(await resolvesToPublic('http://[::1]/', guard)).toBe('public');
    expect(await resolvesToPublic('http://10.0.0.1/', guard)).toBe('blocked_address');
    expect(await resolvesToPublic('http://[::ffff:10.0.0.1]/', guard)).toBe('blocked_address');
    expect(await resolvesToPublic('http://8.8.8.8/', guard)).toBe('public');
  });
});
