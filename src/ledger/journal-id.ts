/** Ids of journals. The service makes them, so that the seal of a journal can cover its id. */
import { randomInt } from 'node:crypto';
import { type TenantId, tenantId } from '../ids.js';

/** The start of the milliseconds in an id. Their 41 bits last until the year 2094. */
const epoch = Date.UTC(2025, 0, 1);
const randomBits = 22;
let lastId = 0n;

/** Later ids are greater, which keeps new rows together. Within a process no id is made twice. */
export function newJournalId(now: Date): bigint {
  const random = BigInt(randomInt(2 ** randomBits));
  const id = (BigInt(now.getTime() - epoch) << BigInt(randomBits)) | random;
  lastId = id > lastId ? id : lastId + 1n;
  return lastId;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const idForm = /^jrn_([0-9A-HJKMNP-TV-Z]{6})([0-9A-HJKMNP-TV-Z]{13})$/;

/** The id as operators see it: it names the merchant in six characters, then the journal. */
export function journalIdText(merchantId: TenantId, journalId: bigint): string {
  return `jrn_${base32(BigInt(merchantId), 6)}${base32(journalId, 13)}`;
}

/** Returns undefined for anything that is not the id of a journal. */
export function readJournalId(text: string): { merchantId: TenantId; journalId: bigint } | undefined {
  const [, merchant, journal] = idForm.exec(text) ?? [];
  if (merchant === undefined || journal === undefined) return undefined;
  const journalId = numberOf(journal);
  if (journalId < 1n || journalId >= 1n << 63n) return undefined;
  return { merchantId: tenantId(numberOf(merchant)), journalId };
}

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = `${digits[Number(rest & 31n)]}${text}`;
  return text;
}

function numberOf(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 32n + BigInt(digits.indexOf(digit));
  return value;
}
