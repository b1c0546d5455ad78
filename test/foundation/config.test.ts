import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { faultsOf, refusalOf } from './refusal.js';

const key = '+Db9g7mnrS0RC8/pTJE/Gn4FMtyJJmNfIisfY6x5MYI=';
const databaseUrl = 'postgres://remesa:swordfish@db.example.com/remesa';
const live = { MODE: 'live', DATABASE_URL: databaseUrl, MASTER_KEY: key };

describe('the default settings', () => {
  it('run a sandbox on this machine with an embedded database', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      trustProxy: false,
      baseUrl: undefined,
      dataDirectory: resolve('data'),
      databaseUrl: undefined,
      databasePoolSize: 16,
      masterKey: undefined,
      requestsPerMinute: 600,
      requestsInFlight: 128,
      metricsToken: undefined,
      logLevel: 'info',
    });
  });
});

describe('faulty settings', () => {
  it('are reported all at once, in one message', () => {
    const faults = faultsOf({
      MODE: 'production',
      PORT: '3000abc',
      TRUST_PROXY: 'yes',
      BASE_URL: 'pay.example.com',
      MASTER_KEY: 'short',
      METRICS_TOKEN: 'too-short',
    });
    expect(faults).toEqual([
      'MODE must be one of sandbox, live, not "production"',
      'PORT must be a whole number from 0 to 65535, not "3000abc"',
      'TRUST_PROXY must be true or false, not "yes"',
      'BASE_URL must be an address that begins with http:// or https://',
      'MASTER_KEY must be 32 random bytes as base64 or hexadecimal (make one: openssl rand -base64 32)',
      'METRICS_TOKEN must have at least 24 characters',
    ]);
  });

  it('are reported together with settings that contradict each other', () => {
    expect(faultsOf({ MODE: 'live', ROLE: 'worker', PORT: 'x' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "x"',
      'MASTER_KEY is required with DATABASE_URL (make one: openssl rand -base64 32)',
      'DATABASE_URL is required in live: the embedded database is for the sandbox and for development',
      'BASE_URL is required in live: the public https address of this service',
    ]);
  });

  it('are not compared with other settings', () => {
    const faults = faultsOf({ DATABASE_URL: databaseUrl, MASTER_KEY: 'short' });
    expect(faults).toHaveLength(1);
    expect(faultsOf({ ...live, BASE_URL: 'ftp://x' })).toHaveLength(1);
  });

  it('include all faults of PAYOUT_RAILS and PAYOUTS_RECORDED_PER_DAY', () => {
    const rails = 'sandbox,pigeon,manual=gold/MXN,manual=bank_account/pesos,manual=a=b,manual=*/MXN';
    const faults = faultsOf({
      MODE: 'live',
      PAYOUT_RAILS: rails,
      PAYOUTS_RECORDED_PER_DAY: 'MXN:1,USD,XXX1:5',
    });
    expect(faults.filter((fault) => fault.startsWith('PAYOUT'))).toEqual([
      'PAYOUT_RAILS entry 1 must not be sandbox in live: it moves no money',
      'PAYOUT_RAILS entry 2 must name one of manual, iso20022, sandbox',
      'PAYOUT_RAILS entry 3 has a method that is none of bank_account, cash_pickup, mobile_wallet',
      'PAYOUT_RAILS entry 4 has a currency that is not three capital letters',
      'PAYOUT_RAILS entry 5 must be like manual=bank_account/MXN+PHP',
      'PAYOUTS_RECORDED_PER_DAY entry 2 must be like MXN:200000',
      'PAYOUTS_RECORDED_PER_DAY entry 3 must be like MXN:200000',
    ]);
  });

  it('include all faults of RATE_SOURCES', () => {
    const faults = faultsOf({ ...live, PORT: 'x', RATE_SOURCES: 'snapshot,foo,bar' });
    const prefixes = ['PORT must', 'RATE_SOURCES entry 2', 'RATE_SOURCES entry 3', 'RATE_SOURCES must', 'BASE_URL is'];
    for (const prefix of prefixes) expect(faults.filter((fault) => fault.startsWith(prefix))).toHaveLength(1);
    expect(faults).toHaveLength(prefixes.length);
  });

  it('are reported without the value of any secret', () => {
    const message = refusalOf({
      DATABASE_URL: 'mysql://remesa:swordfish@db',
      MASTER_KEY: 'opensesame',
      METRICS_TOKEN: 'hush-hush',
    });
    expect(message.split('\n')).toHaveLength(4);
    expect(message).not.toMatch(/swordfish|opensesame|hush/);
  });
});

describe('a whole-number setting', () => {
  it.each(['3000abc', '1e3', ' 3', '3 ', '+3', '-1', '0x10', '3.0', '65536', '١'])('refuses %j', (text) => {
    expect(faultsOf({ PORT: text })).toEqual([
      `PORT must be a whole number from 0 to 65535, not ${JSON.stringify(text)}`,
    ]);
  });

  it('has its default when it is empty', () => {
    expect(readConfig({ PORT: '' }).port).toBe(3000);
  });

  it('accepts the smallest and the largest allowed value', () => {
    expect(readConfig({ PORT: '0' }).port).toBe(0);
    expect(readConfig({ PORT: '65535' }).port).toBe(65535);
  });
});

describe('a boolean setting', () => {
  it('accepts true and false', () => {
    expect(readConfig({ TRUST_PROXY: 'false' }).trustProxy).toBe(false);
    expect(readConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(true);
  });

  it.each(['0', '1', 'yes', 'no', 'TRUE', 'False', ' true'])('refuses %j', (text) => {
    expect(faultsOf({ TRUST_PROXY: text })).toEqual([`TRUST_PROXY must be true or false, not ${JSON.stringify(text)}`]);
  });
});

describe('settings that contradict each other', () => {
  it('refuse live without BASE_URL, and with a BASE_URL that is not https in upper or lower case', () => {
    const missing = 'BASE_URL is required in live: the public https address of this service';
    expect(faultsOf(live)).toEqual([missing]);
    for (const address of ['http://pay.example.com', 'HTTP://pay.example.com']) {
      expect(faultsOf({ ...live, BASE_URL: address })).toEqual(['BASE_URL must begin with https:// in live']);
    }
    expect(readConfig({ ...live, BASE_URL: 'https://pay.example.com/' }).baseUrl).toBe('https://pay.example.com');
  });

  it('refuse live on the embedded database', () => {
    const { DATABASE_URL: _, ...embedded } = live;
    expect(faultsOf({ ...embedded, BASE_URL: 'https://pay.example.com' })).toEqual([
      'DATABASE_URL is required in live: the embedded database is for the sandbox and for development',
    ]);
  });

  it('refuse DATABASE_URL without MASTER_KEY', () => {
    expect(faultsOf({ DATABASE_URL: databaseUrl })).toEqual([
      'MASTER_KEY is required with DATABASE_URL (make one: openssl rand -base64 32)',
    ]);
    expect(readConfig({ DATABASE_URL: databaseUrl, MASTER_KEY: key }).databaseUrl).toBe(databaseUrl);
  });

  it.each(['api', 'worker'])('refuse ROLE=%s on the embedded database', (role) => {
    expect(faultsOf({ ROLE: role })).toEqual([
      `ROLE=${role} needs a DATABASE_URL: the embedded database serves one process, ROLE=all`,
    ]);
    expect(readConfig({ ROLE: role, DATABASE_URL: databaseUrl, MASTER_KEY: key }).role).toBe(role);
  });
});

describe('the settings of a pooler and of replication', () => {
  const own = { DATABASE_URL: databaseUrl, MASTER_KEY: key };

  it('are read', () => {
    const direct = 'postgres://remesa:swordfish@db1.example.com/remesa';
    const config = readConfig({
      ...own,
      DATABASE_DIRECT_URL: direct,
      DATABASE_POOLER: 'transaction',
      DATABASE_REPLICATION: 'synchronous',
    });
    expect(config).toMatchObject({
      databaseDirectUrl: direct,
      databasePooler: 'transaction',
      databaseReplication: 'synchronous',
    });
    expect(readConfig(own)).toMatchObject({ databasePooler: 'none', databaseReplication: 'none' });
  });

  it('demand a direct address behind a pooler in transaction mode, and none in session mode', () => {
    expect(faultsOf({ ...own, DATABASE_POOLER: 'transaction' })).toEqual([
      'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction: wake-ups and migrations need the server itself',
    ]);
    expect(readConfig({ ...own, DATABASE_POOLER: 'session' }).databaseDirectUrl).toBeUndefined();
  });

  it('are refused for the embedded database', () => {
    const without = 'needs a DATABASE_URL: the embedded database is one server without a pooler';
    expect(
      faultsOf({
        DATABASE_DIRECT_URL: databaseUrl,
        DATABASE_POOLER: 'session',
        DATABASE_REPLICATION: 'synchronous',
      }),
    ).toEqual([
      `DATABASE_DIRECT_URL ${without}`,
      `DATABASE_POOLER=session ${without}`,
      `DATABASE_REPLICATION=synchronous ${without}`,
    ]);
    expect(faultsOf({ DATABASE_POOLER: 'often' })).toEqual([
      'DATABASE_POOLER must be one of none, session, transaction, not "often"',
    ]);
  });
});
