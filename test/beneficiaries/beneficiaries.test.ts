/** POST, GET and DELETE /beneficiaries */
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser, told, userToken, withoutRequestId } from '../harness/users.js';
import { auditOf, bakery, find, list, maria, remove, save, wanjiku } from './people.js';

const running = useRemesa();
const { sql } = running;
const someone = () => newUser(running, running.acme);
const saved = async (user: { id: number; externalClientId: string }, body: unknown) => {
  const answer = await save(running, running.acme, user, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

describe('POST /beneficiaries 200', () => {
  it('answers the beneficiary masked, with an id that carries the merchant', async () => {
    const user = await someone();
    const answer = await saved(user, maria);
    expect(answer).toEqual({
      id: expect.stringMatching(/^ben_[0-9A-HJKMNP-TV-Z]{26}$/),
      country: 'MX',
      currency: 'MXN',
      method: 'bank_account',
      type: 'person',
      name: 'María José Ñ.',
      account: '****9719',
      createdAt: expect.any(String),
      updatedAt: answer.createdAt,
    });
    expect(answer.id.slice(4, 10)).toBe(running.acme.merchant.toString(32).padStart(6, '0').toUpperCase());
  });

  it('keeps names and addresses as written, and account numbers without separators', async () => {
    const user = await someone();
    const { id } = await saved(user, bakery);
    expect((await find(running, running.acme, user, id)).json).toEqual({
      ...bakery,
      id,
      account: { iban: 'DE89370400440532013000' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('accepts a user token, and works for that user only', async () => {
    const user = await someone();
    const token = await userToken(running, running.acme, user);
    const answer = await running.api.post('/beneficiaries', { token, body: wanjiku });
    expect(answer.status, answer.text).toBe(200);
    expect((await running.api.get('/beneficiaries', { token })).json).toEqual([answer.json]);
    const other = await someone();
    expect((await list(running, running.acme, other)).json).toEqual([]);
  });

  it('records who added it, without anything personal', async () => {
    const user = await someone();
    const { id } = await saved(user, maria);
    const rows = await auditOf(sql, id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      action: 'beneficiary.created',
      details: { country: 'MX', method: 'bank_account' },
    });
    expect(JSON.stringify(rows, plain)).not.toMatch(/María|Guadalajara|0321800|\b9719\b/);
  });
});

describe('the same account again', () => {
  it('is the same beneficiary: equal details change nothing', async () => {
    const user = await someone();
    const first = await saved(user, maria);
    const second = await saved(user, { ...maria, account: { clabe: '032 180 00011835971 9' } });
    expect(second).toEqual(first);
    expect(await auditOf(sql, first.id)).toHaveLength(1);
  });

  it('takes a new name and address, keeps its id, and records the change', async () => {
    const user = await someone();
    const first = await saved(user, maria);
    const corrected = { ...maria, firstName: 'Mariana', address: { ...maria.address, street: 'Calle 5' } };
    const second = await saved(user, corrected);
    expect(second).toMatchObject({ id: first.id, name: 'Mariana Ñ.', createdAt: first.createdAt });
    expect((await find(running, running.acme, user, first.id)).json).toMatchObject(corrected);
    const actions = (await auditOf(sql, first.id)).map(({ action }) => action);
    expect(actions).toEqual(['beneficiary.created', 'beneficiary.updated']);
  });

  it('is one beneficiary also when ten requests arrive at once', async () => {
    const user = await someone();
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(running, running.acme, user, maria)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect((await list(running, running.acme, user)).json).toHaveLength(1);
  });

  it('is another beneficiary, with another hash, under another user or merchant', async () => {
    const [user, other] = [await someone(), await someone()];
    const theirs = await newUser(running, running.rival);
    const ids = [
      (await saved(user, maria)).id,
      (await saved(other, maria)).id,
      (await save(running, running.rival, theirs, maria)).json.id,
    ];
    const { rows } = await sql.query('SELECT account_hash FROM beneficiaries WHERE beneficiary_id = ANY ($1)', [ids]);
    expect(new Set(rows.map((row) => row.account_hash.toString('hex'))).size).toBe(3);
  });

  it('is recognised with and without the optional BIC', async () => {
    const user = await someone();
    const first = await saved(user, bakery);
    const second = await saved(user, { ...bakery, account: { ...bakery.account, bic: 'COBADEFFXXX' } });
    expect(second.id).toBe(first.id);
  });

  it('is found for cash by the same name and mobile number, in any case', async () => {
    const user = await someone();
    const cash = { ...maria, method: 'cash_pickup', account: { phoneNumber: '+52 222 123 4567' } };
    const first = await saved(user, cash);
    expect(first.account).toBeNull();
    expect((await saved(user, { ...cash, firstName: 'MARÍA JOSÉ' })).id).toBe(first.id);
    expect((await saved(user, { ...cash, firstName: 'Rosa' })).id).not.toBe(first.id);
  });
});

describe('POST /beneficiaries with an Idempotency-Key', () => {
  it('has one effect, repeats its answer, and stores nothing readable', async () => {
    const user = await someone();
    const first = await save(running, running.acme, user, maria, 'key-1');
    await remove(running, running.acme, user, first.json.id);
    const second = await save(running, running.acme, user, maria, 'key-1');
    expect(second.text).toBe(first.text);
    expect((await list(running, running.acme, user)).json).toEqual([]);
    const { rows } = await sql.query('SELECT * FROM idempotency_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows, plain)).not.toMatch(/María|0321800|\b9719\b/);
  });
});

describe('POST /beneficiaries 400', () => {
  const faults = async (body: unknown) => {
    const answer = await save(running, running.acme, await someone(), body);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    return (answer.json.errors as { field: string }[]).sort((left, right) => (left.field < right.field ? -1 : 1));
  };

  it('names every faulty field at once, each with the expected format and an example', async () => {
    const body = {
      ...maria,
      firstName: '…',
      lastName: 'x'.repeat(71),
      companyName: 'Sol, S.A.',
      address: { town: 'Guada\u0007lajara', country: 'Mexico', planet: 'Earth' },
      account: { clabe: '032180000118359710', iban: 'DE89370400440532013000' },
    };
    const name = 'at most 70 characters, at least one of them a letter or digit; in any script';
    expect(await faults(body)).toEqual([
      {
        field: 'account.clabe',
        code: 'wrong_check_digits',
        message: 'contains a typing error: its check digits do not match',
        expected: '18 digits',
        example: '032180000118359719',
      },
      { field: 'account.iban', code: 'unknown_field', message: 'is not used for bank_account in MX' },
      {
        field: 'address.country',
        code: 'not_allowed',
        message: 'must be one of the values in `allowed`',
        allowed: expect.arrayContaining(['MX', 'DE']),
        expected: 'an ISO 3166-1 country code of two letters',
        example: 'MX',
      },
      { field: 'address.planet', code: 'unknown_field', message: 'is not a field of this request' },
      {
        field: 'address.town',
        code: 'wrong_format',
        message: 'must not contain control or invisible characters',
        expected: 'at most 35 characters',
        example: 'Guadalajara',
      },
      { field: 'companyName', code: 'unknown_field', message: 'is not used for bank_account in MX' },
      {
        field: 'firstName',
        code: 'wrong_format',
        message: `must be ${name}`,
        expected: name,
        example: 'María José',
      },
      {
        field: 'lastName',
        code: 'too_long',
        message: `must be ${name}`,
        max: 70,
        expected: name,
        example: 'García López',
      },
    ]);
  });

  it('names every field that is missing', async () => {
    const { country, currency, method, type } = maria;
    const fields = (await faults({ country, currency, method, type })).map(({ field }) => field);
    expect(fields).toEqual(['account.clabe', 'address.country', 'address.town', 'firstName', 'lastName']);
    expect((await faults({})).map(({ field }) => field)).toEqual(['country', 'currency', 'method', 'type']);
  });

  it.each([
    ['currency', { ...maria, currency: 'XAU' }],
    ['country', { ...maria, country: 'DE' }],
    ['method', { ...maria, method: 'mobile_wallet' }],
    ['type', { ...wanjiku, type: 'company', companyName: 'Kamau Ltd' }],
    ['type', { ...maria, type: 'robot' }],
  ])('names the %s when the destination is not offered', async (field, body) => {
    expect(await faults(body)).toContainEqual(expect.objectContaining({ field, code: 'not_allowed' }));
  });

  it('takes the account of a bank for the check digit of a NUBAN only when the bank is known', async () => {
    const body = {
      ...{ country: 'NG', currency: 'NGN', method: 'bank_account', type: 'person' },
      ...{ firstName: 'Ada', lastName: 'Obi', address: { town: 'Lagos', country: 'NG' } },
    };
    const account = { bankCode: '058', accountNumber: '0000014579' };
    expect((await faults({ ...body, account })).map(({ field }) => field)).toEqual(['account.accountNumber']);
    expect((await faults({ ...body, account: { ...account, bankCode: '999' } })).map(({ field }) => field)).toEqual([
      'account.bankCode',
    ]);
    expect((await saved(await someone(), { ...body, account: { ...account, bankCode: '011' } })).account).toBe(
      '****4579',
    );
  });

  it.each([
    ['a list', [maria]],
    ['null', null],
    ['a text as account', { ...maria, account: '032180000118359719' }],
    ['a list as account', { ...maria, account: ['032180000118359719'] }],
    ['a number as clabe', { ...maria, account: { clabe: 321800001183 } }],
    ['null as address', { ...maria, address: null }],
    ['an object as name', { ...maria, firstName: { toString: 'x' } }],
    ['a nested object', { ...maria, account: { clabe: { a: 1 } } }],
    ['a mark that turns the text around', { ...maria, lastName: 'a\u202Eb' }],
    ['a line end', { ...maria, lastName: 'a\nb' }],
    ['an inherited property', { ...maria, account: { constructor: 'x' } }],
    ['the id', { ...maria, id: 'ben_00000000000000000000000000' }],
    ['a merchant', { ...maria, merchantId: 2 }],
  ])('refuses %s', async (_what, body) => {
    const user = await someone();
    expect(told(await save(running, running.acme, user, body))).toEqual([400, 'invalid_fields']);
    expect((await list(running, running.acme, user)).json).toEqual([]);
  });

  it('answers 100 faults at most', async () => {
    const account = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, 'x']));
    expect(await faults({ ...maria, account })).toHaveLength(100);
  });
});

describe('a beneficiary of another', () => {
  it('is answered like one that never existed', async () => {
    const [user, other] = [await someone(), await someone()];
    const theirs = await newUser(running, running.rival);
    const { id } = await saved(user, maria);
    const unknown = 'ben_00000000000000000000000000';
    const expected = withoutRequestId(await find(running, running.acme, user, unknown));
    for (const answer of [
      await find(running, running.acme, other, id),
      await find(running, running.rival, theirs, id),
      await find(running, running.acme, user, 'ben_x'),
      await find(running, running.acme, user, 'kyc_00000000000000000000000000'),
      await remove(running, running.acme, other, id),
      await remove(running, running.rival, theirs, id),
    ]) {
      expect(told(answer)).toEqual([404, 'beneficiary_not_found']);
      expect(withoutRequestId(answer)).toEqual(expected);
    }
    expect((await find(running, running.acme, user, id)).status).toBe(200);
  });

  it('cannot be reached by naming the other merchant’s user', async () => {
    const user = await someone();
    const { id } = await saved(user, maria);
    for (const answer of [
      await find(running, running.rival, user, id),
      await list(running, running.rival, user),
      await save(running, running.rival, user, maria),
      await remove(running, running.rival, user, id),
    ])
      expect(told(answer)).toEqual([404, 'user_not_found']);
  });

  it('needs a selected user and the scope orders', async () => {
    const token = await tokenOf(running, running.acme, { scope: 'users kyc rates webhooks' });
    const user = await someone();
    expect(told(await list(running, { token }, user))).toEqual([403, 'scope_missing']);
    const unselected = await running.api.get('/beneficiaries', { token: running.acme.token });
    expect(told(unselected)).toEqual([400, 'user_not_selected']);
  });
});

describe('GET /beneficiaries', () => {
  it('lists the newest first, and never a last name or a whole account', async () => {
    const user = await someone();
    const ids = [];
    for (const body of [maria, wanjiku, bakery]) ids.unshift((await saved(user, body)).id);
    const { json, text } = await list(running, running.acme, user);
    expect(json.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(json.map(({ name, account }: Record<string, string>) => [name, account])).toEqual([
      ['Bäckerei Sonne GmbH', '****3000'],
      ['Wanjiku K.', '****3456'],
      ['María José Ñ.', '****9719'],
    ]);
    expect(text).not.toMatch(/Brien|Kamau|0321800|25471|Köln/);
  });

  it('shows two digits of a short number, and the domain of an e-mail address', async () => {
    const user = await someone();
    const person = { type: 'person', firstName: 'Li', lastName: 'Na', method: 'bank_account' };
    const short = await saved(user, {
      ...{ ...person, country: 'AU', currency: 'AUD', address: { town: 'Perth', country: 'AU' } },
      account: { bsb: '062000', accountNumber: '12345' },
    });
    expect(short.account).toBe('****45');
    const pix = await saved(user, {
      ...{ ...person, country: 'BR', currency: 'BRL', address: { town: 'Recife', country: 'BR' } },
      account: { pixKey: 'li.na@example.com', taxId: '390.533.447-05' },
    });
    expect(pix.account).toBe('****@example.com');
  });
});

describe('DELETE /beneficiaries/{id}', () => {
  it('removes it at once, frees the account, and answers 404 from then on', async () => {
    const user = await someone();
    const { id } = await saved(user, maria);
    const answer = await remove(running, running.acme, user, id);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await list(running, running.acme, user)).json).toEqual([]);
    expect(told(await find(running, running.acme, user, id))).toEqual([404, 'beneficiary_not_found']);
    expect(told(await remove(running, running.acme, user, id))).toEqual([404, 'beneficiary_not_found']);
    expect((await saved(user, maria)).id).not.toBe(id);
    const { rows } = await sql.query('SELECT 1 FROM beneficiaries WHERE beneficiary_id = $1', [id]);
    expect(rows).toEqual([]);
    const actions = (await auditOf(sql, id)).map(({ action }) => action);
    expect(actions).toEqual(['beneficiary.created', 'beneficiary.deleted']);
  });

  it('succeeds once when two requests arrive at once', async () => {
    const user = await someone();
    const { id } = await saved(user, maria);
    const answers = await Promise.all([1, 2, 3].map(() => remove(running, running.acme, user, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});

describe('the 200th beneficiary', () => {
  it('is the last, also when several requests race for it', async () => {
    const user = await someone();
    const { id } = await saved(user, maria);
    await sql.query(
      `INSERT INTO beneficiaries
       SELECT merchant_id, 'ben_' || lpad(n::text, 26, '0'), user_id, sha256(n::text::bytea), 1, sealed_details,
              created_at, updated_at
         FROM beneficiaries, generate_series(1, 198) AS n WHERE beneficiary_id = $1`,
      [id],
    );
    const numbers = ['+254712123456', '+254712123457', '+254712123458'];
    const answers = await Promise.all(
      numbers.map((phoneNumber) =>
        save(running, running.acme, user, { ...wanjiku, account: { ...wanjiku.account, phoneNumber } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json).toMatchObject({ code: 'too_many_beneficiaries', max: 200 });
    expect((await save(running, running.acme, user, { ...maria, firstName: 'Ana' })).status).toBe(200);
  });
});

/** PostgreSQL's bigint is a BigInt here. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : Buffer.isBuffer(value) ? value.toString() : value;
}
