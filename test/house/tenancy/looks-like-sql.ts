/**
 * Tells SQL from prose by how it begins. Keywords must be all upper or all lower case: "Select a country" is a
 * sentence. BEGIN, COMMIT, ROLLBACK, SET, LISTEN and NOTIFY touch no table and are left alone.
 */
const object =
  '(OR REPLACE )?(TEMP |TEMPORARY |UNLOGGED |UNIQUE |MATERIALIZED |CONSTRAINT |EVENT )*' +
  '(TABLE|INDEX|VIEW|DATABASE|SCHEMA|ROLE|USER|FUNCTION|PROCEDURE|TRIGGER|TYPE|DOMAIN|SEQUENCE|EXTENSION|POLICY|SYSTEM)';

const upperCaseBeginnings = [
  'SELECT\\b',
  'INSERT INTO\\b',
  'UPDATE (ONLY )?\\S+ ([^=]+ )?SET\\b',
  'DELETE FROM\\b',
  'MERGE INTO\\b',
  'WITH (RECURSIVE )?\\S+ ?(\\([^)]*\\) ?)?AS (NOT )?(MATERIALIZED )?\\(',
  `(CREATE|ALTER|DROP) ${object}\\b`,
  'TRUNCATE\\b',
  'LOCK (TABLE )?\\S+',
  'COPY \\S+.* (FROM|TO)\\b',
  'VALUES \\(',
  'TABLE \\S+$',
  'DO \\$',
  'CALL \\S+\\(',
  '(EXPLAIN|PREPARE|DECLARE|VACUUM|ANALYZE|REFRESH|COMMENT ON|GRANT|REVOKE)\\b',
];
const asSql = new RegExp(`^(${upperCaseBeginnings.join('|')})`);
/** In lower case only what prose does not begin with. */
const asLowerCaseSql =
  /^(select .+ from |insert into |update \S+ set |delete from |with \S+ as \(|(create|alter|drop) table |truncate table )/;

export function looksLikeSql(text: string): boolean {
  const flat = text
    .replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, '')
    .replaceAll(/\s+/g, ' ')
    .trimStart();
  return asSql.test(flat) || asLowerCaseSql.test(flat);
}
