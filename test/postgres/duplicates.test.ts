import { expect, it } from 'vitest';
import { isDuplicateIn } from '../../src/postgres/failure.js';

const refused = (message: string, fields: object) => Object.assign(new Error(message), fields);
const isSameOrder = (error: unknown) => isDuplicateIn('orders_external_id', error);

it('recognises a duplicate by the name of the index, as PostgreSQL and a machine of a cluster report it', () => {
  const plain = refused('duplicate key value', { code: '23505', constraint: 'orders_external_id' });
  const ofCluster = ['23505', 'XX000'].map((code) =>
    refused('duplicate key value violates unique constraint "orders_external_id_102131"', { code }),
  );
  expect([plain, ...ofCluster].map(isSameOrder)).toEqual([true, true, true]);
});

it('takes nothing else for that duplicate', () => {
  const others = [
    refused('duplicate key value', { code: '23505', constraint: 'orders_pkey' }),
    refused('violates unique constraint "orders_external_id_reserved"', { code: '23505' }),
    refused('violates unique constraint "old_orders_external_id_7"', { code: '23505' }),
    refused('orders_external_id_1', { code: '23503' }),
    new Error('orders_external_id'),
    undefined,
  ];
  expect(others.map(isSameOrder)).toEqual(others.map(() => false));
});
