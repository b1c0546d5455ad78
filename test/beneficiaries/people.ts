/** Beneficiaries for tests. */
import type pg from 'pg';
import type { Answer, Api } from '../harness/api.js';
import type { MadeUser, Merchant } from '../harness/users.js';

export const maria = {
  country: 'MX',
  currency: 'MXN',
  method: 'bank_account',
  type: 'person',
  firstName: 'María José',
  lastName: 'Ñandú-O’Brien',
  address: { town: 'Guadalajara', country: 'MX' },
  account: { clabe: '032180000118359719' },
};

export const wanjiku = {
  country: 'KE',
  currency: 'KES',
  method: 'mobile_wallet',
  type: 'person',
  firstName: 'Wanjiku',
  lastName: 'Kamau',
  account: { walletProvider: 'm_pesa', phoneNumber: '+254712123456' },
};

export const bakery = {
  country: 'DE',
  currency: 'EUR',
  method: 'bank_account',
  type: 'company',
  companyName: 'Bäckerei Sonne GmbH',
  address: { street: 'Hauptstraße', buildingNumber: '1a', postCode: '50667', town: 'Köln', country: 'DE' },
  account: { iban: 'DE89 3704 0044 0532 0130 00' },
};

interface Service {
  readonly api: Api;
}

export function save(
  { api }: Service,
  { token }: Pick<Merchant, 'token'>,
  user: MadeUser,
  body: unknown,
  key?: string,
): Promise<Answer> {
  return api.post(`/beneficiaries?userId=${user.id}`, { token, body, ...(key ? { key } : {}) });
}

export function list({ api }: Service, { token }: Pick<Merchant, 'token'>, user: MadeUser): Promise<Answer> {
  return api.get(`/beneficiaries?userId=${user.id}`, { token });
}

export function find(
  { api }: Service,
  { token }: Pick<Merchant, 'token'>,
  user: MadeUser,
  id: string,
): Promise<Answer> {
  return api.get(`/beneficiaries/${id}?userId=${user.id}`, { token });
}

export function remove(
  { api }: Service,
  { token }: Pick<Merchant, 'token'>,
  user: MadeUser,
  id: string,
): Promise<Answer> {
  return api.call('DELETE', `/beneficiaries/${id}?userId=${user.id}`, { token });
}

export async function auditOf(sql: pg.Pool, id: string): Promise<{ action: string; details: unknown }[]> {
  const text = 'SELECT action, actor_kind, details FROM changes WHERE subject = $1 ORDER BY id';
  return (await sql.query(text, [`beneficiary:${id}`])).rows;
}
