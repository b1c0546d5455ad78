/**
 * Orders that wait for their payment, with the rows that they refer to. Written in bulk; the copies of people are
 * sealed as the service does.
 */
import type pg from 'pg';
import { type MerchantId, newMerchantPublicId, newPublicId, type UserId } from '../../src/ids.js';
import { sealBeneficiary, sealSender } from '../../src/orders/order/copies/sealed.js';
import { payinReferenceOf } from '../../src/orders/payin/payin-reference.js';
import type { Database } from '../../src/postgres/database.js';
import type { UserService } from '../../src/users/service.js';

const by = { actor: { kind: 'system', name: 'bench' } } as const;
const atOnce = 1000;
const usersAtMost = 200;
const profile = {
  ...{ firstName: 'Ana', lastName: 'Reyes', email: 'ana@example.com', address: '12 Calle del Sol' },
  ...{ city: 'Valencia', stateProvince: 'Valencia', countryCode: 'ES', postalCode: '46001' },
};

export interface Sender {
  readonly userId: UserId;
  readonly key: Buffer;
}

export async function makeSenders(database: Database, users: UserService, merchantId: MerchantId): Promise<Sender[]> {
  const senders: Sender[] = [];
  while (senders.length < usersAtMost) {
    const { id } = await database.transaction((tx) => users.create(tx, by, merchantId, profile));
    const key = await users.retainedKey(database, merchantId, id);
    if (key) senders.push({ userId: id, key });
  }
  return senders;
}

/** Calls `made` with the references of each thousand orders, so that none of them are kept in memory. */
export async function makeUnpaidOrders(
  sql: pg.Client,
  { merchantId, senders }: { readonly merchantId: MerchantId; readonly senders: readonly Sender[] },
  count: number,
  made: (references: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < count; done += atOnce) {
    const orders = Array.from({ length: Math.min(atOnce, count - done) }, (_, index) =>
      newOrder(merchantId, senders[(done + index) % senders.length] as Sender),
    );
    await insert(sql, merchantId, orders);
    await made(orders.map(({ reference }) => reference));
  }
  await sql.query('VACUUM (ANALYZE) orders');
}

function newOrder(merchantId: MerchantId, { userId, key }: Sender) {
  const orderId = newMerchantPublicId('ord', merchantId);
  const place = { merchantId, userId, orderId };
  const details = {
    country: 'MX',
    currency: 'MXN',
    method: 'bank_account',
    type: 'person',
    firstName: 'Guadalupe',
    lastName: 'Ortega Ruiz',
    address: { town: 'Guadalajara', country: 'MX' },
    account: { clabe: '032180000118359719' },
  };
  return {
    ...{ orderId, userId, code: newPublicId('rt'), reference: payinReferenceOf(orderId) },
    sealedSender: sealSender(key, place, { name: 'Ana Reyes', country: 'ES' }),
    sealedBeneficiary: sealBeneficiary(key, place, 1, details as Parameters<typeof sealBeneficiary>[3]),
  };
}

async function insert(
  sql: pg.Client,
  merchantId: MerchantId,
  orders: readonly ReturnType<typeof newOrder>[],
): Promise<void> {
  await sql.query(
    `INSERT INTO quotes (merchant_id, code, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                         rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at, taken_at,
                         taken_by)
     SELECT $1, code, 'EUR', 'MXN', 10000, 194040, 19.404, 20, 'bench', now(), 100, 200, now(), now(), now(), order_id
       FROM unnest($2::text[], $3::text[]) AS made (code, order_id)`,
    [merchantId, orders.map(({ code }) => code), orders.map(({ orderId }) => orderId)],
  );
  await sql.query(
    `INSERT INTO orders (merchant_id, order_id, user_id, quote_code, payin_reference, payin_account, state, fiat_in,
       fiat_out, amount_in_minor, amount_out_minor, fee_minor, rate, mid_rate, margin_basis_points, payout_country, payout_method,
       sealed_beneficiary, sealed_sender, purpose, version, public_version, created_at, updated_at,
       rate_guaranteed_until, payment_due_at, expires_at)
     SELECT $1, made.order_id, made.user_id, made.code, made.reference, '{}', 'AWAITING_PAYMENT', 'EUR', 'MXN', 10000, 194040,
            200, 19.404, 20, 100, 'MX', 'bank_account', made.beneficiary, made.sender, 'gift', 1, 1, now(), now(),
            now() + interval '1 day', now() + interval '3 days', now() + interval '4 days'
       FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::bytea[], $7::bytea[])
            AS made (order_id, user_id, code, reference, beneficiary, sender)`,
    [
      merchantId,
      orders.map(({ orderId }) => orderId),
      orders.map(({ userId }) => userId),
      orders.map(({ code }) => code),
      orders.map(({ reference }) => reference),
      orders.map(({ sealedBeneficiary }) => sealedBeneficiary),
      orders.map(({ sealedSender }) => sealedSender),
    ],
  );
}
