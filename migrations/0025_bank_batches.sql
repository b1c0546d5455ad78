-- Payments that leave through our banks, in files. None has a merchant_id: a file has payments of many merchants, and
-- every machine has all files.

CREATE TABLE bank_batches (
  batch_id       text PRIMARY KEY,
  account_id     text NOT NULL,
  currency       text NOT NULL,
  state          text NOT NULL
                 CHECK (state IN ('COLLECTING', 'WAITING', 'RELEASED', 'CHECKED', 'WRITTEN', 'SENT', 'EMPTY')),
  closes_at      timestamptz NOT NULL,
  released_at    timestamptz,
  execution_day  text CHECK (execution_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  file_name      text,
  file_hash      text,
  paid_from      jsonb,
  answer         text CHECK (char_length(answer) <= 40),
  version        integer NOT NULL CHECK (version > 0),
  lease_token    text,
  leased_until   timestamptz,
  created_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  changed_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT batch_that_left_has_a_file
    CHECK (state NOT IN ('WRITTEN', 'SENT') OR (file_name IS NOT NULL AND file_hash IS NOT NULL AND execution_day IS NOT NULL)),
  CONSTRAINT batch_is_released_at_a_time
    CHECK (state IN ('COLLECTING', 'WAITING') OR released_at IS NOT NULL),
  CONSTRAINT batch_that_was_checked_has_an_account
    CHECK (state NOT IN ('CHECKED', 'WRITTEN', 'SENT') OR paid_from IS NOT NULL)
);
CREATE UNIQUE INDEX bank_batches_one_collecting ON bank_batches (account_id) WHERE state = 'COLLECTING';
CREATE INDEX bank_batches_unfinished ON bank_batches (created_at) WHERE state NOT IN ('SENT', 'EMPTY');
CREATE INDEX bank_batches_of_day ON bank_batches (account_id, released_at) WHERE released_at IS NOT NULL;
CREATE INDEX bank_batches_by_time ON bank_batches (created_at, batch_id);
COMMENT ON TABLE bank_batches IS
  'Files of payments to our banks. Nothing of a batch that was released comes back: its message id is derived from its id.';
COMMENT ON COLUMN bank_batches.closes_at IS 'When no payment joins any more, in real time.';
COMMENT ON COLUMN bank_batches.paid_from IS
  'The account as it was when the payments were checked: its file says this, whatever is changed until it is written.';
COMMENT ON COLUMN bank_batches.answer IS 'What the bank said about the batch as a whole.';

CREATE TABLE bank_batch_payments (
  batch_id         text NOT NULL REFERENCES bank_batches,
  attempt_id       text NOT NULL,
  owner_id         bigint NOT NULL CHECK (owner_id >= 0),
  reference        text NOT NULL,
  direction        text NOT NULL CHECK (direction IN ('payout', 'refund')),
  amount_minor     bigint NOT NULL CHECK (amount_minor > 0),
  has_left         boolean NOT NULL DEFAULT false,
  attempt_version  integer,
  answer           text CHECK (char_length(answer) <= 40),
  joined_at        timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (batch_id, attempt_id)
);
CREATE UNIQUE INDEX bank_batch_payments_in_one ON bank_batch_payments (attempt_id) WHERE NOT has_left;
COMMENT ON TABLE bank_batch_payments IS 'The payments of each batch. A payment is in one batch at a time.';
COMMENT ON COLUMN bank_batch_payments.owner_id IS 'The merchant whose money it is; 0 for money in suspense of the instance.';
COMMENT ON COLUMN bank_batch_payments.has_left IS 'It was withdrawn, or had to wait, before the file was written.';
COMMENT ON COLUMN bank_batch_payments.attempt_version IS 'The version that was examined when the batch was released.';

CREATE TABLE bank_unfit_payments (
  attempt_id  text PRIMARY KEY,
  owner_id    bigint NOT NULL CHECK (owner_id >= 0),
  reference   text NOT NULL,
  problem     text NOT NULL,
  found_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  tried_at    timestamptz NOT NULL DEFAULT statement_timestamp()
);
CREATE INDEX bank_unfit_payments_by_time ON bank_unfit_payments (found_at, attempt_id);
COMMENT ON TABLE bank_unfit_payments IS
  'Payments that no account of ours can make, or that the bank would refuse. They are tried again every hour.';

CREATE TABLE bank_outgoing_files (
  name            text PRIMARY KEY CHECK (char_length(name) <= 100),
  account_id      text NOT NULL,
  hash            text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  sealed_content  bytea NOT NULL,
  written_at      timestamptz NOT NULL DEFAULT statement_timestamp(),
  lease_token     text,
  leased_until    timestamptz,
  failures        integer NOT NULL DEFAULT 0,
  sent_at         timestamptz
);
CREATE INDEX bank_outgoing_files_to_send ON bank_outgoing_files (written_at) WHERE sent_at IS NULL;
COMMENT ON TABLE bank_outgoing_files IS
  'Files to our banks, stored before they leave. Whoever sends one again sends the same bytes.';
COMMENT ON COLUMN bank_outgoing_files.hash IS 'SHA-256 of the bytes.';

CREATE FUNCTION keep_written_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.name, NEW.account_id, NEW.hash, NEW.sealed_content, NEW.written_at)
     IS DISTINCT FROM (OLD.name, OLD.account_id, OLD.hash, OLD.sealed_content, OLD.written_at)
     OR (OLD.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at) THEN
    RAISE EXCEPTION 'a file to a bank never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outgoing_file_is_kept BEFORE UPDATE ON bank_outgoing_files
  FOR EACH ROW EXECUTE FUNCTION keep_written_file();
CREATE TRIGGER bank_outgoing_files_are_kept BEFORE DELETE OR TRUNCATE ON bank_outgoing_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bank_incoming_files (
  digest          text PRIMARY KEY,
  connection      text NOT NULL,
  name            text NOT NULL CHECK (char_length(name) <= 255),
  sealed_content  bytea,
  state           text NOT NULL CHECK (state IN ('RECEIVED', 'READ', 'FAULTY')),
  format          text,
  faults          jsonb NOT NULL DEFAULT '[]',
  received_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  lease_token     text,
  leased_until    timestamptz,
  settled_at      timestamptz,
  settled_by      bigint,
  CONSTRAINT bank_file_is_settled_by_an_operator CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
CREATE INDEX bank_incoming_files_to_read ON bank_incoming_files (received_at) WHERE state = 'RECEIVED';
CREATE INDEX bank_incoming_files_by_time ON bank_incoming_files (received_at, digest);
COMMENT ON TABLE bank_incoming_files IS
  'Files from our banks, each once, as they came. They are stored before they are put aside at the bank.';
COMMENT ON COLUMN bank_incoming_files.digest IS 'Of the connection and the bytes: the same file is one file, whatever its name.';
COMMENT ON COLUMN bank_incoming_files.sealed_content IS 'Null for a file that is too long to be read.';
COMMENT ON COLUMN bank_incoming_files.state IS 'FAULTY: some of it could not be read, or belongs to nothing of ours.';
COMMENT ON COLUMN bank_incoming_files.settled_at IS 'When an operator had examined a faulty file.';
CREATE TRIGGER bank_incoming_files_are_kept BEFORE DELETE OR TRUNCATE ON bank_incoming_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE bank_answers (
  answer_id    text PRIMARY KEY,
  digest       text NOT NULL REFERENCES bank_incoming_files,
  batch_id     text NOT NULL REFERENCES bank_batches,
  kind         text NOT NULL CHECK (kind IN ('rejected', 'duplicate', 'recalled')),
  payments     jsonb NOT NULL,
  state        text NOT NULL CHECK (state IN ('WAITING', 'APPROVED', 'APPLIED', 'DISMISSED')),
  version      integer NOT NULL CHECK (version > 0),
  created_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  changed_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  lease_token  text,
  leased_until timestamptz,
  CONSTRAINT bank_answers_once UNIQUE (digest, batch_id, kind)
);
CREATE INDEX bank_answers_open ON bank_answers (created_at) WHERE state IN ('WAITING', 'APPROVED');
COMMENT ON TABLE bank_answers IS
  'What a bank says that would let us pay again. It is an unsigned text, so two operators decide before it has an effect.';
COMMENT ON COLUMN bank_answers.payments IS 'The end-to-end ids and the codes of the reasons.';
COMMENT ON COLUMN bank_answers.kind IS 'duplicate: the bank says that it has these payments already. It is never applied.';

CREATE TABLE bank_recalls (
  recall_id    text PRIMARY KEY,
  batch_id     text NOT NULL REFERENCES bank_batches,
  attempt_id   text NOT NULL,
  account_id   text NOT NULL,
  reference    text NOT NULL,
  reason       text NOT NULL CHECK (reason ~ '^[A-Z0-9]{4}$'),
  file_name    text NOT NULL,
  state        text NOT NULL CHECK (state IN ('ASKED', 'PENDING', 'ACCEPTED', 'REFUSED')),
  answer       text CHECK (char_length(answer) <= 40),
  asked_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  answered_at  timestamptz
);
CREATE UNIQUE INDEX bank_recalls_one_open ON bank_recalls (attempt_id) WHERE state IN ('ASKED', 'PENDING');
CREATE INDEX bank_recalls_by_reference ON bank_recalls (reference, asked_at);
CREATE INDEX bank_recalls_by_time ON bank_recalls (asked_at, recall_id);
COMMENT ON TABLE bank_recalls IS
  'Payments that we asked a bank to give back after they had left. An answer changes no payment: see bank_answers.';
COMMENT ON COLUMN bank_recalls.answer IS 'The codes of the bank.';
