-- The bank: what it says about our accounts. Amounts are in minor units.

-- No merchant_id: a line is reported by the account alone, so every machine has all accounts.
CREATE TABLE bank_accounts (
  account_id           text PRIMARY KEY CHECK (account_id ~ '^[a-z0-9][a-z0-9._-]{0,39}$' AND account_id <> 'simulated'),
  owner_id             bigint NOT NULL CHECK (owner_id >= 0),
  currency             text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  holder               text NOT NULL CHECK (char_length(holder) BETWEEN 1 AND 140),
  address              jsonb,
  bank_name            text NOT NULL CHECK (char_length(bank_name) BETWEEN 1 AND 140),
  country              text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  number               text NOT NULL CHECK (char_length(number) BETWEEN 1 AND 42),
  bic                  text CHECK (bic ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  uses                 text[] NOT NULL CHECK (uses <@ ARRAY['payin', 'payout']),
  profile              text NOT NULL CHECK (profile IN ('plain', 'sepa', 'sps', 'cbpr')),
  time_zone            text NOT NULL,
  release_up_to_minor  bigint CHECK (release_up_to_minor >= 0),
  version              integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at           timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at           timestamptz NOT NULL DEFAULT statement_timestamp()
);
COMMENT ON TABLE bank_accounts IS
  'Our accounts at banks. The ledger calls its bank accounts after them, and money moves on no other.';
COMMENT ON COLUMN bank_accounts.owner_id IS
  'The merchant whose money it holds; 0 for an account that all merchants share.';
COMMENT ON COLUMN bank_accounts.uses IS 'Empty for an account that is not used any more.';
COMMENT ON COLUMN bank_accounts.profile IS 'What is agreed with the bank about files.';
COMMENT ON COLUMN bank_accounts.time_zone IS 'IANA name. The day of the bank ends there.';
COMMENT ON COLUMN bank_accounts.release_up_to_minor IS
  'A batch of payments up to this sum leaves without a second person. Null: none does.';

CREATE TABLE bank_lines (
  bank            text NOT NULL CHECK (char_length(bank) <= 64),
  currency        text NOT NULL,
  direction       text NOT NULL CHECK (direction IN ('debit', 'credit')),
  bank_reference  text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  record          text NOT NULL,
  recorded_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT bank_line_is_recorded_once PRIMARY KEY (bank_reference, bank, currency, direction)
);
CREATE INDEX bank_lines_of_record ON bank_lines (record);
COMMENT ON TABLE bank_lines IS
  'Lines of bank statements that operators recorded by hand, each once over all merchants: a bank account has one name '
  'in the whole instance. A correction frees the line for what it belongs to.';
COMMENT ON COLUMN bank_lines.record IS 'What the line was recorded for, such as payout:att_1.';
