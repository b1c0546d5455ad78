/** The readers around the tenancy check: tables and functions of migrations, statements of source files. */
import { describe, expect, it } from 'vitest';
import { functionFaults } from './tenancy/function-bodies.js';
import { keyFaults } from './tenancy/key-faults.js';
import { looksLikeSql } from './tenancy/looks-like-sql.js';
import { readSchema } from './tenancy/schema.js';
import { statementsOf } from './tenancy/statements.js';

describe('the keys of tenant tables', () => {
  const parent = 'CREATE TABLE a (merchant_id bigint, id bigint, PRIMARY KEY (merchant_id, id));';
  it.each([
    ['a key without the merchant', 'CREATE TABLE b (merchant_id bigint, id bigint PRIMARY KEY)', 1],
    ['no key', 'CREATE TABLE b (merchant_id bigint)', 1],
    [
      'a key that was dropped',
      `CREATE TABLE b (merchant_id bigint PRIMARY KEY);
        ALTER TABLE b DROP CONSTRAINT b_pkey`,
      1,
    ],
    [
      'a column that came later',
      'CREATE TABLE b (id bigint PRIMARY KEY); ALTER TABLE b ADD merchant_id bigint',
      1,
    ],
    [
      'a foreign key by id only',
      `CREATE TABLE b (merchant_id bigint PRIMARY KEY, a_id bigint REFERENCES a (id))`,
      1,
    ],
    [
      'a foreign key that swaps columns',
      `CREATE TABLE b (merchant_id bigint PRIMARY KEY, x bigint,
        FOREIGN KEY (merchant_id, x) REFERENCES a (id, merchant_id))`,
      1,
    ],
    [
      'a foreign key with the merchant',
      `CREATE TABLE b (merchant_id bigint PRIMARY KEY, x bigint,
        FOREIGN KEY (merchant_id, x) REFERENCES a)`,
      0,
    ],
    ['a table of no tenant', 'CREATE TABLE b (id bigint PRIMARY KEY, a_id bigint)', 0],
    ['a table that was dropped', 'CREATE TABLE b (merchant_id bigint); DROP TABLE b', 0],
    ['a partition', 'CREATE TABLE b PARTITION OF a FOR VALUES IN (1)', 0],
  ])('%s', async (_what, sql, faults) => {
    expect(keyFaults(await readSchema([parent, sql])).get('b') ?? []).toHaveLength(faults);
  });

  it('refuses a view, through which a table could be read unseen', async () => {
    await expect(readSchema([parent, 'CREATE VIEW v AS SELECT * FROM a'])).rejects.toThrow(/ViewStmt/);
  });
});

describe('the functions of migrations', () => {
  const orders = 'CREATE TABLE orders (merchant_id bigint, id bigint, PRIMARY KEY (merchant_id, id));';
  const define = (head: string, body: string) => `CREATE FUNCTION f${head} AS $$ ${body} $$`;
  const trigger = '() RETURNS trigger LANGUAGE plpgsql';
  const count = 'SELECT count(*) FROM orders';
  it.each([
    [
      'SQL by parameter',
      define('(m bigint) RETURNS bigint LANGUAGE sql', `${count} WHERE merchant_id = m`),
      0,
    ],
    ['SQL unbound', define('() RETURNS bigint LANGUAGE sql', count), 1],
    [
      'SQL by a parameter that a column hides',
      define('(id bigint) RETURNS bigint LANGUAGE sql', `${count} WHERE merchant_id = id`),
      1,
    ],
    [
      'PL/pgSQL by NEW',
      define(trigger, `BEGIN PERFORM 1 FROM orders WHERE merchant_id = NEW.merchant_id; END`),
      0,
    ],
    [
      'PL/pgSQL unbound',
      define(trigger, 'BEGIN IF (SELECT count(*) FROM orders) > 1 THEN RETURN NULL; END IF; END'),
      1,
    ],
    ['PL/pgSQL assignment', define(trigger, `DECLARE n bigint; BEGIN n := (${count}); END`), 1],
    ['PL/pgSQL with EXECUTE', define(trigger, `BEGIN EXECUTE 'x'; END`), 1],
    [
      'a second function of the same name',
      `${define('() RETURNS bigint LANGUAGE sql', count)}; ${define('(a int) RETURNS int LANGUAGE sql', 'SELECT a')}`,
      1,
    ],
    [
      'a body after letters of several bytes',
      `-- → é\n${define('() RETURNS bigint LANGUAGE sql', count)}`,
      1,
    ],
  ])('%s', async (_what, sql, faults) => {
    const schema = await readSchema([orders]);
    expect((await functionFaults([sql], schema)).flatMap(([, each]) => each)).toHaveLength(faults);
  });
});

describe('the statements of a source file', () => {
  const head = `import { statement } from '../postgres/statement.js';\nconst columns = 'id, name';\n`;
  const read = (code: string) => statementsOf('src/users/store.ts', head + code);
  it.each([
    ['a literal', `const a = statement('users.find', 'SELECT 1');`, 'SELECT 1'],
    ['a template', 'const a = statement<Row>("users.find", `SELECT\n1`);', 'SELECT\n1'],
    [
      'a constant of the file',
      `const a = statement('users.find', \`SELECT \${columns} FROM t\`);`,
      'SELECT id, name FROM t',
    ],
    ['a concatenation', `const a = statement('users.find', 'SELECT ' + columns);`, 'SELECT id, name'],
  ])('are read from %s', (_what, code, sql) => {
    expect(read(code)).toEqual({
      statements: [{ name: 'users.find', sql, where: 'src/users/store.ts:3', rooms: ['users', 'store'] }],
      faults: [],
    });
  });

  it.each([
    [
      'put together at run time',
      `const a = (t: string) => statement('users.find', \`SELECT 1 FROM \${t}\`);`,
      "SQL that can't be read",
    ],
    [
      'under a name made at run time',
      'const a = (n: string) => statement(n, "SELECT 1");',
      "SQL that can't be read",
    ],
    ['through another name', `const other = statement;`, 'statement may only be called'],
    ['handed on', `export { statement };`, 'statement may only be called'],
    [
      'beside statement()',
      `const a = { name: 'x', text: 'SELECT 1 FROM t' };`,
      'SQL outside of statement(…)',
    ],
    [
      'in a template beside it',
      `const a = (t: string) => \`DELETE FROM \${t}\`;`,
      'SQL outside of statement(…)',
    ],
  ])('are refused when %s', (_what, code, fault) => {
    expect(read(code).faults).toContain(`src/users/store.ts:3: ${fault}`);
  });

  it('are refused when imported as a whole', () => {
    const code = `import * as sql from '../postgres/statement.js';`;
    expect(statementsOf('src/users/store.ts', code).faults).toHaveLength(1);
  });

  it('are read from a constant that another file exports', () => {
    const code = `import { statement } from '../postgres/statement.js';
      import { columns as listed } from './columns-store.js';
      const a = statement('users.find', \`SELECT \${listed} FROM t\`);`;
    const files: Record<string, string> = {
      'src/users/columns-store.ts': `export const columns = 'id, name';`,
    };
    const { statements, faults } = statementsOf('src/users/store.ts', code, (file) => files[file]);
    expect(faults).toEqual([]);
    expect(statements.map(({ sql }) => sql)).toEqual(['SELECT id, name FROM t']);
  });
});

describe('SQL is told from prose', () => {
  it.each([
    'SELECT 1',
    '\n  -- why\n  INSERT INTO t VALUES (1)',
    'UPDATE orders AS o SET x = 1',
    'WITH mine AS (SELECT 1)',
    'WITH RECURSIVE t (a, b) AS (',
    'CREATE UNIQUE INDEX i ON t (a)',
    'ALTER TABLE t',
    'TRUNCATE t',
    'LOCK TABLE t',
    'COPY t (a) FROM STDIN',
    'select a from t',
    'delete from t',
  ])('%j is SQL', (text) => expect(looksLikeSql(text)).toBe(true));

  it.each([
    'BEGIN',
    'COMMIT',
    'SET LOCAL lock_timeout = 1',
    'LISTEN wake',
    'DELETE',
    'Select a country from the list',
    'Update your profile and set a password',
    'with care',
    'Create a table of rates',
    'selected',
  ])('%j is not', (text) => expect(looksLikeSql(text)).toBe(false));
});
