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
