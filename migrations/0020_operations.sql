-- What banks and partners say that accounts hold, and the watch over the difference to the ledger.

CREATE TABLE bank_statements (
  account        text NOT NULL CHECK (account ~ '^(bank|settlement):[A-Z]{3}:[A-Za-z0-9._-]{1,64}$'),
  at             timestamptz NOT NULL,
  recorded_at    timestamptz NOT NULL,
  balance_minor  bigint NOT NULL,
  note           text CHECK (char_length(note) BETWEEN 1 AND 500),
  operator_id    bigint NOT NULL,
  PRIMARY KEY (account, at, recorded_at)
);
COMMENT ON TABLE bank_statements IS
  'Balances of bank accounts and of accounts with partners, as operators read them on statements. Of one moment, '
  'the newest record counts.';
COMMENT ON COLUMN bank_statements.account IS 'The account of the ledger, in the books of all merchants together.';
COMMENT ON COLUMN bank_statements.at IS 'The moment of the balance: what the bank booked until then is in it.';
CREATE TRIGGER bank_statements_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE account_watches (
  account        text PRIMARY KEY CHECK (account ~ '^(bank|settlement):[A-Z]{3}:[A-Za-z0-9._-]{1,64}$'),
  minimum_minor  bigint,
  version        integer NOT NULL CHECK (version > 0),
  differs_since  timestamptz,
  low_since      timestamptz
);
COMMENT ON TABLE account_watches IS
  'Accounts that have a statement or a minimum, and what a job found when it last compared them.';
COMMENT ON COLUMN account_watches.differs_since IS
  'Since when the newest statement differs from the ledger and nothing explains it.';
COMMENT ON COLUMN account_watches.low_since IS 'Since when the ledger or the newest statement is below the minimum.';

CREATE TABLE safeguarding_days (
  day          date PRIMARY KEY,
  report       text NOT NULL,
  proof        text NOT NULL,
  recorded_at  timestamptz NOT NULL DEFAULT statement_timestamp()
);
COMMENT ON TABLE safeguarding_days IS
  'What customers of all merchants were owed at the end of each day (UTC), against the bank accounts that are kept apart.';
COMMENT ON COLUMN safeguarding_days.report IS 'The JSON that was signed, byte by byte.';
COMMENT ON COLUMN safeguarding_days.proof IS 'A compact JWS over the report.';
CREATE TRIGGER safeguarding_days_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON safeguarding_days
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE safeguarding_figures (
  day          date NOT NULL REFERENCES safeguarding_days (day),
  currency     text NOT NULL,
  owed_minor   bigint NOT NULL,
  held_minor   bigint NOT NULL,
  short_since  timestamptz,
  PRIMARY KEY (currency, day),
  CONSTRAINT shortage_has_a_beginning CHECK ((short_since IS NULL) = (held_minor >= owed_minor))
);
COMMENT ON TABLE safeguarding_figures IS 'The sums of a recorded day, for the tasks of operators.';
COMMENT ON COLUMN safeguarding_figures.short_since IS 'When the shortage was first recorded that still lasts; NULL without one.';
CREATE TRIGGER safeguarding_figures_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON safeguarding_figures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
