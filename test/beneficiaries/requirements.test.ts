/** GET /beneficiaries/requirements, and whether it is enough to fill in a beneficiary. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, newUser, told } from '../harness/users.js';

interface PublishedField {
  readonly name: string;
  readonly type: 'text' | 'phone' | 'select';
  readonly required: boolean;
  readonly onlyFor: 'person' | 'company' | null;
  readonly pattern: string;
  readonly example: string;
  readonly options?: readonly { value: string }[];
}

interface Requirements {
  readonly types: readonly ('person' | 'company')[];
  readonly fields: readonly PublishedField[];
  readonly example: Record<string, unknown>;
}

const running = useRemesa();
const get = (path: string) => running.api.get(path, { token: running.acme.token });
let offered: Record<'country' | 'currency' | 'method', string>[] = [];
beforeAll(async () => {
  offered = (await get('/beneficiaries/destinations')).json;
});

async function requirementsOf(destination: Record<string, string>): Promise<Requirements> {
  const answer = await get(`/beneficiaries/requirements?${new URLSearchParams(destination)}`);
  expect(answer.status, JSON.stringify(destination)).toBe(200);
  return answer.json;
}

const save = (user: MadeUser, body: unknown) =>
  running.api.post(`/beneficiaries?userId=${user.id}`, { token: running.acme.token, body });

/** Fills in a form as a program would that knows the requirements and nothing else. */
function filledIn(destination: Record<string, string>, fields: readonly PublishedField[], type: 'person' | 'company') {
  const body: Record<string, unknown> = { ...destination };
  for (const { name, example, required, onlyFor } of fields) {
    if (!required || (onlyFor !== null && onlyFor !== type)) continue;
    const value = name === 'type' ? type : example;
    const [first = '', second] = name.split('.');
    if (second === undefined) body[first] = value;
    else body[first] = { ...(body[first] as object | undefined), [second]: value };
  }
  return body;
}

describe('GET /beneficiaries/requirements', () => {
  it('offers every method of every corridor', async () => {
    const corridors: { fiatOut: string; payoutMethods: string[] }[] = (await get('/corridors')).json;
    expect(corridors.length).toBeGreaterThan(100);
    const needed = new Set(
      corridors.flatMap(({ fiatOut, payoutMethods }) => payoutMethods.map((method) => `${fiatOut} ${method}`)),
    );
    const known = new Set(offered.map(({ currency, method }) => `${currency} ${method}`));
    expect([...needed].filter((key) => !known.has(key))).toEqual([]);
    expect(needed.size).toBe(57);
  });

  it('is enough to add a person or a company for every country, currency and method', async () => {
    const user = await newUser(running, running.acme);
    for (const destination of offered) {
      const { fields, types } = await requirementsOf(destination);
      for (const type of types) {
        const body = filledIn(destination, fields, type);
        const answer = await save(user, body);
        expect([answer.status, answer.text], JSON.stringify(body)).toEqual([200, expect.any(String)]);
        expect(answer.json).toMatchObject({ ...destination, type });
      }
    }
  });

  it('has an example that is accepted as it is', async () => {
    const user = await newUser(running, running.acme);
    for (const destination of offered) {
      const { example } = await requirementsOf(destination);
      const answer = await save(user, example);
      expect([answer.status, answer.text], JSON.stringify(example)).toEqual([200, expect.any(String)]);
      const stored = await running.api.get(`/beneficiaries/${answer.json.id}?userId=${user.id}`, {
        token: running.acme.token,
      });
      expect(stored.json).toMatchObject(example);
    }
  });

  it('demands town and country for bank accounts and cash, and no other part of the address', async () => {
    for (const destination of offered) {
      const { fields } = await requirementsOf(destination);
      const required = fields.filter(({ name, required }) => required && name.startsWith('address.'));
      const names = destination.method === 'mobile_wallet' ? [] : ['address.town', 'address.country'];
      expect(required.map(({ name }) => name)).toEqual(names);
    }
  });

  it('publishes label, type, hint, pattern, lengths, example and options of each field', async () => {
    const { fields } = await requirementsOf({ country: 'US', currency: 'USD', method: 'bank_account' });
    expect(fields.filter(({ name }) => name.startsWith('account.'))).toEqual([
      {
        name: 'account.routingNumber',
        label: 'ABA routing number',
        type: 'text',
        required: true,
        onlyFor: null,
        hint: '9 digits',
        pattern: '^[0-9]{9}$',
        minLength: 9,
        maxLength: 9,
        example: '021000021',
      },
      {
        name: 'account.accountNumber',
        label: 'Account number',
        type: 'text',
        required: true,
        onlyFor: null,
        hint: '4 to 17 digits',
        pattern: '^[0-9]{4,17}$',
        minLength: 4,
        maxLength: 17,
        example: '000123456789',
      },
      {
        name: 'account.accountType',
        label: 'Type of account',
        type: 'select',
        required: true,
        onlyFor: null,
        hint: 'one of the options',
        pattern: '^[A-Za-z0-9_]{2,40}$',
        minLength: 2,
        maxLength: 40,
        example: 'checking',
        options: [
          { value: 'checking', label: 'Checking or current account' },
          { value: 'savings', label: 'Savings account' },
        ],
      },
    ]);
  });

  it.each([
    [{ country: 'MX', currency: 'XAU', method: 'bank_account' }, 'currency', 'MXN'],
    [{ country: 'DE', currency: 'MXN', method: 'bank_account' }, 'country', 'MX'],
    [{ country: 'MX', currency: 'MXN', method: 'mobile_wallet' }, 'method', 'cash_pickup'],
  ])('refuses %j, and says what there is instead', async (destination, field, allowed) => {
    const answer = await get(`/beneficiaries/requirements?${new URLSearchParams(destination)}`);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors).toEqual([expect.objectContaining({ field, code: 'not_allowed' })]);
    expect(answer.json.errors[0].allowed).toContain(allowed);
  });

  it('names every parameter that is missing', async () => {
    const answer = await get('/beneficiaries/requirements');
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    const fields = answer.json.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['country', 'currency', 'method']);
  });
});

describe('GET /beneficiaries/destinations', () => {
  it('lists each combination once, and can be filtered', async () => {
    const keys = offered.map(({ country, currency, method }) => `${country} ${currency} ${method}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await get('/beneficiaries/destinations?currency=MXN')).json).toEqual([
      { country: 'MX', currency: 'MXN', method: 'bank_account' },
      { country: 'MX', currency: 'MXN', method: 'cash_pickup' },
    ]);
    expect((await get('/beneficiaries/destinations?currency=XAU')).json).toEqual([]);
  });

  it('needs a token', async () => {
    const answer = await running.api.get('/beneficiaries/destinations', { token: 'x' });
    expect(told(answer)).toEqual([401, 'unauthorized']);
  });

  it('is the table in the guide', () => {
    const guide = readFileSync(new URL('../../docs/beneficiaries.md', import.meta.url), 'utf8');
    const table = guide.split('\n').filter((line) => /^\| [A-Z]{3} \|/.test(line));
    const countries = (currency: string, method: string) =>
      offered
        .filter((destination) => destination.currency === currency && destination.method === method)
        .map(({ country }) => country)
        .join(' ') || '–';
    const expected = [...new Set(offered.map(({ currency }) => currency))].map((currency) => {
      const methods = ['bank_account', 'mobile_wallet', 'cash_pickup'].map((method) => countries(currency, method));
      return `| ${currency} | ${methods.join(' | ')} |`;
    });
    expect(table).toEqual(expected);
  });
});
