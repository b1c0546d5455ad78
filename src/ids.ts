/** Each kind of identifier has its own type, and one function that checks a value and returns it as that type. */
import { freshBytes } from './random.js';

declare const brand: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };

export type MerchantId = Branded<number, 'MerchantId'>;

/** Owns what belongs to no merchant: operators, corridors, signing keys, the master key. */
export const instanceTenant = 0 as const;
/** Whose rows a transaction writes: one merchant's, or those of the instance. */
export type TenantId = MerchantId | typeof instanceTenant;

export type UserId = Branded<number, 'UserId'>;
export type OperatorId = Branded<number, 'OperatorId'>;

export function merchantId(value: unknown): MerchantId {
  return positiveInteger(value, 'merchant id') as MerchantId;
}

/** Reads the tenant of a stored row. Throws a TypeError when the value is neither a merchant id nor 0. */
export function tenantId(value: unknown): TenantId {
  return Number(value) === instanceTenant ? instanceTenant : merchantId(value);
}

export function userId(value: unknown): UserId {
  return positiveInteger(value, 'user id') as UserId;
}

/** The start of the milliseconds in a user id. Their 41 bits last until the year 2094. */
const userIdEpoch = Date.UTC(2025, 0, 1);
const randomBits = 12;

/**
 * Later ids are greater, and an id does not reveal how many users there are. Two ids of the same millisecond may be
 * equal; the primary key then refuses the second one, and its caller retries.
 */
export function newUserId(now: Date): UserId {
  const random = freshBytes(2).readUInt16BE() % 2 ** randomBits;
  return userId((now.getTime() - userIdEpoch) * 2 ** randomBits + random);
}

export function operatorId(value: unknown): OperatorId {
  return positiveInteger(value, 'operator id') as OperatorId;
}

/** The prefixes of public identifiers. 26 random characters follow each. */
export const publicIdPrefixes = [
  'cli',
  'ord',
  'ben',
  'kyc',
  'hit',
  'evt',
  'rt',
  'apr',
  'pay',
  'sus',
  'imp',
  'att',
  'rfd',
  'rul',
  'run',
  'lnk',
  'inv',
  'bat',
  'ban',
  'rcl',
  'bnl',
  'bst',
  'bfl',
  'blk',
  'mon',
  'rpl',
  'alr',
  'cas',
  'hld',
  'cmp',
] as const;
export type PublicIdPrefix = (typeof publicIdPrefixes)[number];
export type PublicId<Prefix extends PublicIdPrefix> = Branded<string, Prefix>;

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const publicIdTail = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export function newPublicId<Prefix extends PublicIdPrefix>(prefix: Prefix): PublicId<Prefix> {
  let tail = '';
  for (const byte of freshBytes(26)) tail += crockford[byte & 31];
  return `${prefix}_${tail}` as PublicId<Prefix>;
}

/** Six characters are enough for a thousand million merchants. */
const merchantCharacters = 6;

/** The random part begins with the merchant's number, so that whoever has the id alone knows where to look. */
export function newMerchantPublicId<Prefix extends PublicIdPrefix>(
  prefix: Prefix,
  merchant: TenantId,
): PublicId<Prefix> {
  const random = newPublicId(prefix).slice(prefix.length + 1 + merchantCharacters);
  return `${prefix}_${merchantDigits(merchant)}${random}` as PublicId<Prefix>;
}

/** Writes the merchant's number in six characters. */
export function merchantDigits(merchant: TenantId): string {
  let digits = '';
  for (let rest = merchant as number; digits.length < merchantCharacters; rest = Math.floor(rest / 32)) {
    digits = `${crockford[rest % 32]}${digits}`;
  }
  return digits;
}

/** Returns undefined when the id carries no merchant's number. */
export function merchantOfPublicId(id: PublicId<PublicIdPrefix>): MerchantId | undefined {
  const tenant = tenantOfPublicId(id);
  return tenant === instanceTenant ? undefined : tenant;
}

/** For ids that the instance has too: such an id carries the number 0. */
export function tenantOfPublicId(id: PublicId<PublicIdPrefix>): TenantId {
  const start = id.indexOf('_') + 1;
  return merchantOfDigits(id.slice(start, start + merchantCharacters)) ?? instanceTenant;
}

/** Returns undefined when the text is not a merchant's number as `merchantDigits` writes it. */
export function merchantOfDigits(digits: string): MerchantId | undefined {
  const values = [...digits].map((digit) => crockford.indexOf(digit));
  if (values.length !== merchantCharacters || values.includes(-1)) return undefined;
  const number = values.reduce((sum, value) => sum * 32 + value, 0);
  return number > 0 ? merchantId(number) : undefined;
}

/** Returns undefined for anything that cannot be such an id, so that it is answered like an unknown id. */
export function publicId<Prefix extends PublicIdPrefix>(prefix: Prefix, value: unknown): PublicId<Prefix> | undefined {
  if (typeof value !== 'string' || !value.startsWith(`${prefix}_`)) return undefined;
  return publicIdTail.test(value.slice(prefix.length + 1)) ? (value as PublicId<Prefix>) : undefined;
}

/** Whether the value is one of our ids, of any kind. */
export function isPublicId(value: unknown): value is string {
  const [prefix, tail = ''] = typeof value === 'string' ? value.split('_', 2) : [];
  return publicIdPrefixes.some((known) => known === prefix) && publicIdTail.test(tail) && value === `${prefix}_${tail}`;
}

/** Reads an id from the database. Throws a TypeError when the value is not such an id. */
export function storedPublicId<Prefix extends PublicIdPrefix>(prefix: Prefix, value: unknown): PublicId<Prefix> {
  const id = publicId(prefix, value);
  if (id === undefined) throw new TypeError(`not a public id with the prefix ${prefix}`);
  return id;
}

function positiveInteger(value: unknown, what: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) {
    throw new TypeError(`not a ${what}: ${String(value)}`);
  }
  return number;
}
