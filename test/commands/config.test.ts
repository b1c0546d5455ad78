import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { remesa, remesaHere } from './remesa.js';

const live = {
  MODE: 'live',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://remesa:the-password@db.example.com/remesa',
  MASTER_KEY: testMasterKey,
};

describe('remesa config check', () => {
  it('prints what is set and where, and no secret', async () => {
    const outcome = await remesaHere({ ...live, RATE_SOURCES: 'json=https://example.com/?key=abc' }, 'config', 'check');
    expect(outcome.stdout).toContain('MODE=live  # environment\n');
    expect(outcome.stdout).toContain('DATABASE_URL=(set, not shown)');
    expect(outcome.stdout).toContain('RATE_SOURCES=(set, not shown)');
    expect(outcome.stdout).not.toMatch(/the-password|key=abc/);
    expect(outcome.stdout).not.toContain(testMasterKey);
  });

  it('says what live lacks for a first transfer, and ends with 2', async () => {
    const outcome = await remesaHere(live, 'config', 'check');
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toBe(
      'SCREENING_LISTS is not set: nobody is cleared, so nobody is paid.\n' +
        'TRUST_PROXY is not set: all callers behind your proxy count as one address and share its limits.\n' +
        'METRICS_TOKEN is not set: /metrics answers 404, so no alarm can be set on it.\n',
    );
  });

  it('reports all faults at once, and ends with 1', async () => {
    const outcome = await remesaHere({ ...live, PORT: 'x', OPERATOR_PORT: '-1' }, 'config', 'check');
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/PORT must be a whole number.*\n.*OPERATOR_PORT must be a whole number/);
  });

  it('refuses one port for both', async () => {
    const outcome = await remesaHere({ PORT: '4000', OPERATOR_PORT: '4000' }, 'config', 'check');
    expect(outcome.stderr).toContain('OPERATOR_PORT must be another port than PORT');
    const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'remesa@example.com', OPERATOR_PORT: '4001' };
    const mails = await remesaHere(mail, 'config', 'check');
    expect(mails.stderr).toContain('OPERATOR_URL is required with SMTP_URL and OPERATOR_PORT');
  });
});

describe('--settings', () => {
  it('names the file of settings, which must exist', async () => {
    const file = join(newFolder(), 'worker.env');
    const missing = await remesa({}, '--settings', file, 'config', 'check');
    expect([missing.code, missing.stderr]).toEqual([1, `The file ${file} cannot be read (ENOENT).\n`]);
    writeFileSync(file, 'PORT=4711\n');
    const found = await remesa({}, '--settings', file, 'config', 'check');
    expect([found.code, found.stdout]).toEqual([0, 'PORT=4711  # file\n']);
  });
});
