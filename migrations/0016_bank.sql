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
  uses                 text[] NOT NULL CHECK (uses <@ ARRAY['payin', 'payout', 'safeguarding']),
  profile              text NOT NULL CHECK (profile ~ '^[a-z]{1,20}$'),
  time_zone            text NOT NULL,
  csv_format           jsonb,
  release_up_to_minor  bigint CHECK (release_up_to_minor >= 0),
  books_difference_minor bigint CHECK (books_difference_minor <> 0),
  books_differ_since   timestamptz,
  version              integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at           timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at           timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT books_differ_since_a_time CHECK ((books_difference_minor IS NULL) = (books_differ_since IS NULL))
);
COMMENT ON TABLE bank_accounts IS
  'Our accounts at banks. The ledger calls its bank accounts after them, and money moves on no other.';
COMMENT ON COLUMN bank_accounts.owner_id IS
  'The merchant whose money it holds; 0 for an account that all merchants share.';
COMMENT ON COLUMN bank_accounts.uses IS 'Empty for an account that is not used any more.';
COMMENT ON COLUMN bank_accounts.profile IS 'What is agreed with the bank about files.';
COMMENT ON COLUMN bank_accounts.time_zone IS 'IANA name. The day of the bank ends there.';
COMMENT ON COLUMN bank_accounts.books_difference_minor IS
  'What the ledger holds more than the explained lines say, as a job found it. Null while they agree.';
COMMENT ON COLUMN bank_accounts.csv_format IS 'How its bank writes CSV. Null where none is read.';
COMMENT ON COLUMN bank_accounts.release_up_to_minor IS
  'A batch of payments up to this sum leaves without a second person. Null: none does.';

CREATE TABLE bank_closed_days (
  account_id   text NOT NULL REFERENCES bank_accounts (account_id),
  day          date NOT NULL,
  total_minor  bigint NOT NULL,
  closed_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (account_id, day)
);
COMMENT ON TABLE bank_closed_days IS
  'Days whose closing balance is all lines until then, so that nobody adds these up again. A line of a file that comes '
  'later for such a day, or changes there, opens it and those after it.';
COMMENT ON COLUMN bank_closed_days.total_minor IS 'All lines of files until the end of the day. What only people recorded is not in it.';

-- A transaction of any merchant writes the line that it books, so lines have no merchant_id either.
CREATE TABLE bank_lines (
  line_id         text PRIMARY KEY CHECK (line_id ~ '^bnl_[0-9A-HJKMNP-TV-Z]{26}$'),
  bank            text NOT NULL CHECK (char_length(bank) <= 64),
  currency        text NOT NULL,
  sign            text NOT NULL CHECK (sign IN ('credit', 'debit')),
  amount_minor    bigint NOT NULL CHECK (amount_minor > 0),
  booked_on       date NOT NULL,
  value_on        date,
  identity        text NOT NULL CHECK (char_length(identity) BETWEEN 1 AND 200),
  bank_reference  text CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  known_by        text[] NOT NULL,
  counterparty    text[] NOT NULL DEFAULT '{}',
  source          text NOT NULL CHECK (source IN ('hand', 'rail', 'sandbox', 'csv', 'csv_statement', 'camt.052', 'camt.053', 'camt.054')),
  statement_id    text,
  code            text,
  twin_id         text,
  sealed_content  bytea,
  reported_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT bank_line_is_one_line UNIQUE (bank, currency, sign, identity)
);
CREATE INDEX bank_lines_by_reference ON bank_lines USING gin (known_by);
CREATE INDEX bank_lines_of_day ON bank_lines (bank, currency, booked_on);
CREATE INDEX bank_lines_unconfirmed ON bank_lines (bank, currency, booked_on) WHERE statement_id IS NULL;
CREATE INDEX bank_lines_by_amount ON bank_lines (bank, currency, amount_minor, booked_on);
COMMENT ON TABLE bank_lines IS
  'What a bank booked on an account of ours, each line once, however often and by whomever it is reported. What '
  'operators record by hand is a line too, which a statement confirms later.';
COMMENT ON COLUMN bank_lines.bank IS 'The place of the account in the ledger: its id in bank_accounts, or simulated.';
COMMENT ON COLUMN bank_lines.identity IS
  'What makes it one line: a reference with the year, or a digest of its contents; and a number where that repeats.';
COMMENT ON COLUMN bank_lines.known_by IS 'All references under which it was reported, in one form.';
COMMENT ON COLUMN bank_lines.counterparty IS
  'Keyed marks of who paid a line that became a payment, and of its order: equal for the same, useless without the key.';
COMMENT ON COLUMN bank_lines.statement_id IS 'The statement that has it. Null while no statement does.';
COMMENT ON COLUMN bank_lines.twin_id IS 'A line that is the same (hand-made), or may be (a possible duplicate).';
COMMENT ON COLUMN bank_lines.sealed_content IS
  'Who is on the other side, and the text, under a key of the instance. Null once what explains the line has it.';

CREATE TABLE bank_line_details (
  line_id        text NOT NULL,
  number         integer NOT NULL CHECK (number > 0),
  amount_minor   bigint NOT NULL CHECK (amount_minor <> 0),
  end_to_end_id  text,
  state          text NOT NULL CHECK (state IN ('waiting', 'explained', 'break', 'replaced')),
  record         text,
  reason         text,
  own_account    text,
  other_half     text,
  changed_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  version        integer NOT NULL DEFAULT 1 CHECK (version > 0),
  PRIMARY KEY (line_id, number),
  CONSTRAINT bank_line_details_have_one_explanation CHECK ((state = 'explained') = (record IS NOT NULL)),
  CONSTRAINT bank_line_breaks_have_a_reason CHECK ((state = 'break') = (reason IS NOT NULL))
);
CREATE INDEX bank_line_details_of_transfers ON bank_line_details (own_account) WHERE own_account IS NOT NULL AND other_half IS NULL;
CREATE INDEX bank_line_details_of_record ON bank_line_details (record) WHERE record IS NOT NULL;
CREATE INDEX bank_line_details_to_explain ON bank_line_details (state, changed_at, line_id) WHERE state IN ('waiting', 'break');
CREATE INDEX bank_line_details_by_end_to_end_id ON bank_line_details (end_to_end_id) WHERE end_to_end_id IS NOT NULL;
COMMENT ON TABLE bank_line_details IS
  'The payments of a line, which together make its amount: one, or many for a batch. Each is explained by exactly one '
  'booking, or is a break that a person must explain. Parts take the place of one that turns out to be several.';
COMMENT ON COLUMN bank_line_details.amount_minor IS 'Positive in the direction of the line.';
COMMENT ON COLUMN bank_line_details.record IS 'What booked it, such as payout:att_1, payment:pay_1 or journal:jrn_1.';
COMMENT ON COLUMN bank_line_details.own_account IS
  'For one half of a transfer between two accounts of ours that is booked: the other account.';
COMMENT ON COLUMN bank_line_details.other_half IS 'What booked the other half of the transfer. Null while none is booked.';
COMMENT ON COLUMN bank_line_details.state IS
  'replaced: it was recorded by hand, and a detail of a statement has taken its explanation over.';

CREATE TABLE bank_files (
  file_id       text PRIMARY KEY CHECK (file_id ~ '^bfl_[0-9A-HJKMNP-TV-Z]{26}$'),
  account_id    text NOT NULL REFERENCES bank_accounts (account_id),
  digest        text NOT NULL CHECK (char_length(digest) = 43),
  source        text NOT NULL CHECK (char_length(source) BETWEEN 1 AND 64),
  size_bytes    bigint NOT NULL CHECK (size_bytes > 0),
  format        text,
  entries       integer NOT NULL DEFAULT 0,
  new_lines     integer NOT NULL DEFAULT 0,
  faults        jsonb NOT NULL DEFAULT '[]',
  fault_count   integer NOT NULL DEFAULT 0,
  received_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  lease_token   text,
  leased_until  timestamptz,
  finished_at   timestamptz,
  settled_at    timestamptz,
  CONSTRAINT bank_file_is_one_file UNIQUE (account_id, digest)
);
CREATE INDEX bank_files_to_read ON bank_files (received_at, file_id) WHERE finished_at IS NULL;
CREATE INDEX bank_files_with_faults ON bank_files (finished_at, file_id) WHERE fault_count > 0 AND settled_at IS NULL;
COMMENT ON TABLE bank_files IS 'Files of banks, each once by its digest. A job reads their entries into bank_lines.';
COMMENT ON COLUMN bank_files.faults IS 'What could not be read: message, line and path. The first hundred.';
COMMENT ON COLUMN bank_files.settled_at IS 'When an operator had dealt with the faults.';

CREATE TABLE bank_file_chunks (
  file_id  text NOT NULL,
  number   integer NOT NULL CHECK (number >= 0),
  sealed   bytea NOT NULL,
  PRIMARY KEY (file_id, number)
);
COMMENT ON TABLE bank_file_chunks IS
  'The bytes of a file under a key of the instance, until it was read. They stay while it has a fault that nobody settled.';

CREATE TABLE bank_account_statements (
  statement_id   text PRIMARY KEY CHECK (statement_id ~ '^bst_[0-9A-HJKMNP-TV-Z]{26}$'),
  account_id     text NOT NULL REFERENCES bank_accounts (account_id),
  identity       text NOT NULL,
  file_id        text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('statement', 'report', 'notification')),
  bank_id        text,
  sequence       bigint,
  opening_on     date,
  opening_minor  bigint,
  closing_on     date,
  closing_minor  bigint,
  entries        integer NOT NULL DEFAULT 0,
  net_minor      bigint NOT NULL DEFAULT 0,
  is_whole       boolean NOT NULL DEFAULT false,
  read_at        timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT bank_statement_is_one_statement UNIQUE (account_id, identity)
);
CREATE INDEX bank_account_statements_by_day ON bank_account_statements (account_id, closing_on) WHERE kind = 'statement';
COMMENT ON TABLE bank_account_statements IS 'What a bank reported of an account, with its balances. The same statement again is one.';
COMMENT ON COLUMN bank_account_statements.net_minor IS 'The booked entries together: credits are positive.';
COMMENT ON COLUMN bank_account_statements.is_whole IS 'Every entry of it was read.';
