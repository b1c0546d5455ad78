/** Loads statements of banks, and lists what nothing explains. */
import { attemptOf } from '../corrections/corrections.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import type { Remesa } from '../harness/remesa.js';
import { type CamtEntry, type CamtStatement, camt } from './camt.js';

export const decimal = (minor: number | bigint | string) => (Number(minor) / 100).toFixed(2);

export function loadingOf(running: Remesa) {
  let keys = 0;
  /** Uploads a file, and waits until it is read and everything in it is explained or a break. */
  async function load(accountId: string, file: string | Buffer) {
    keys += 1;
    const path = `/operator/bank/accounts/${accountId}/statements`;
    const body = { file: Buffer.from(file).toString('base64') };
    const { id } = done(await running.api.post(path, { token: running.reviewer, key: `file-${keys}`, body }));
    const read = async () => (await running.api.get(`${path}/${id}`, { token: running.viewer })).json;
    await eventually(async () => (await read()).isFinished, { withinMs: 20_000, what: 'the file to be read' });
    const waiting = `SELECT FROM bank_line_details WHERE state = 'waiting'`;
    await eventually(async () => (await running.sql.query(waiting)).rows.length === 0, {
      withinMs: 20_000,
      what: 'no line to wait',
    });
    return read();
  }

  return {
    load,
    mexican: (entries: readonly CamtEntry[], more: Partial<CamtStatement> = {}) =>
      load('mexico', camt({ currency: 'MXN', entries, ...more })),
    american: (entries: readonly CamtEntry[], more: Partial<CamtStatement> = {}) =>
      load('acme-usd', camt({ currency: 'USD', entries, ...more })),
    breaks: async (accountId: string) =>
      (await running.api.get(`/operator/bank/accounts/${accountId}/breaks`, { token: running.viewer })).json,
    /** What the bank writes about the debit of the newest payment out of an order. */
    async debitOf(id: string, more: Partial<CamtEntry> = {}): Promise<CamtEntry> {
      const { reference, amount_minor: minor } = await attemptOf(running, id);
      const details = [{ endToEndId: reference }];
      return { amount: decimal(minor), sign: 'DBIT', reference: `D-${id}`, details, ...more };
    },
    async tasks(kind: string): Promise<string[]> {
      const { json } = await running.api.get(`/operator/tasks?kind=${kind}`, { token: running.viewer });
      return json.map(({ summary }: { summary: string }) => summary);
    },
  };
}
