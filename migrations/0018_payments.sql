-- Money in: the accounts that senders pay to, the movements on them, what each was applied to, and what is in suspense.
-- Amounts are in minor units; times are by the owner's clock, but for those of imports.

-- No merchant_id: a movement is reported by the account alone, so every machine has all accounts.
CREATE TABLE payin_accounts (
  account_id  text PRIMARY KEY REFERENCES bank_accounts (account_id),
  owner_id    bigint NOT NULL CHECK (owner_id >= 0),
  currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  holder      text NOT NULL CHECK (char_length(holder) BETWEEN 1 AND 140),
  bank_name   text NOT NULL CHECK (char_length(bank_name) BETWEEN 1 AND 140),
  country     text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  time_zone   text NOT NULL,
  details     jsonb NOT NULL,
  is_enabled  boolean NOT NULL,
  version     integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at  timestamptz NOT NULL DEFAULT statement_timestamp()
);
CREATE INDEX payin_accounts_by_currency ON payin_accounts (currency, owner_id) WHERE is_enabled;
COMMENT ON TABLE payin_accounts IS
  'What senders are told of the bank account with the same id, to which they pay.';
COMMENT ON COLUMN payin_accounts.owner_id IS
  'The merchant whose orders are paid there; 0 for an account that all merchants share.';

COMMENT ON COLUMN payin_accounts.time_zone IS 'IANA name. The day of the bank ends there.';

CREATE TABLE payment_policies (
  merchant_id        bigint PRIMARY KEY CHECK (merchant_id > 0),
  on_short           text NOT NULL CHECK (on_short IN ('wait', 'refund', 'suspense')),
  on_over            text NOT NULL CHECK (on_over IN ('refund', 'suspense')),
  on_late            text NOT NULL CHECK (on_late IN ('requote', 'refund', 'suspense')),
  on_duplicate       text NOT NULL CHECK (on_duplicate IN ('refund', 'suspense')),
  on_wrong_currency  text NOT NULL CHECK (on_wrong_currency IN ('refund', 'suspense')),
  on_after_end       text NOT NULL CHECK (on_after_end IN ('refund', 'suspense')),
  version            integer NOT NULL CHECK (version > 0),
  updated_at         timestamptz NOT NULL
);
COMMENT ON TABLE payment_policies IS
  'What a merchant wants done with payments that do not match. Without a row, the defaults hold.';
COMMENT ON COLUMN payment_policies.updated_at IS 'Real time.';

CREATE TABLE payments (
  merchant_id        bigint NOT NULL CHECK (merchant_id >= 0),
  payment_id         text NOT NULL 
                     CHECK (payment_id ~ '^pay_[0-9A-HJKMNP-TV-Z]+$' AND octet_length(payment_id) = 30),
  account_id         text NOT NULL,
  bank_reference     text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  currency           text NOT NULL,
  amount_minor       bigint NOT NULL CHECK (amount_minor > 0),
  booked_at          timestamptz NOT NULL,
  booked_on          date,
  source             text NOT NULL CHECK (source IN ('operator', 'import', 'sandbox', 'statement')),
  import_id          text,
  import_line        integer CHECK (import_line > 0),
  outcome            text NOT NULL CHECK (outcome IN ('applied', 'suspense', 'handed_over')),
  reason             text,
  order_merchant_id  bigint CHECK (order_merchant_id > 0),
  order_id           text,
  sealed_payer       bytea,
  account_digest     integer,
  name_digest        integer,
  settled_at         timestamptz,
  voided_at          timestamptz,
  recorded_at        timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payments_order_has_merchant CHECK ((order_merchant_id IS NULL) = (order_id IS NULL)),
  CONSTRAINT payments_import_has_line CHECK ((import_id IS NULL) = (import_line IS NULL)),
  CONSTRAINT payments_reason CHECK (
    CASE outcome WHEN 'suspense' THEN reason IS NOT NULL WHEN 'applied' THEN reason IS NULL OR reason = 'over'
                 ELSE reason IS NULL END),
  CONSTRAINT payments_without_order_are_in_suspense CHECK (outcome = 'suspense' OR order_id IS NOT NULL)
);
CREATE INDEX payments_to_hand_over ON payments (recorded_at, payment_id) WHERE outcome = 'handed_over' AND settled_at IS NULL;
CREATE INDEX payments_by_bank_reference ON payments (bank_reference);
CREATE INDEX payments_by_time ON payments (recorded_at, payment_id);
CREATE INDEX payments_by_payer_account ON payments (account_digest) WHERE account_digest IS NOT NULL;
CREATE INDEX payments_by_payer_name ON payments (name_digest);
CREATE INDEX payments_of_import ON payments (merchant_id, import_id) WHERE import_id IS NOT NULL;
CREATE INDEX payments_of_account ON payments (merchant_id, account_id, recorded_at);
COMMENT ON TABLE payments IS
  'Movements on pay-in accounts, each recorded once under the owner of the account. Merchant 0 owns shared accounts.';
COMMENT ON COLUMN payments.booked_on IS
  'The day of booked_at at the place of the account. It decides whether the payment is late. Null on the simulated account.';
COMMENT ON COLUMN payments.bank_reference IS
  'The bank''s own reference of the movement. bank_lines decide what is the same movement reported again.';
COMMENT ON COLUMN payments.order_id IS 'The order that its reference names, or nearly names. Null when there is none.';
COMMENT ON COLUMN payments.sealed_payer IS
  'The payer''s name and account and the text, under a key of the instance. Null once payment_applications has them.';
COMMENT ON COLUMN payments.account_digest IS
  'The first 32 bits of a keyed digest of the payer''s account, by which operators find payments.';
COMMENT ON COLUMN payments.name_digest IS 'The same of the payer''s name, without case, accents and order.';
COMMENT ON COLUMN payments.voided_at IS
  'When two operators had voided a payment that never arrived like this. Its line can be recorded again then.';
COMMENT ON COLUMN payments.settled_at IS
  'When the merchant of the order had taken over a payment on a shared account, or orders had all of a payment that '
  'was in suspense.';

CREATE FUNCTION keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL
     AND (to_jsonb(NEW) - 'voided_at') = (to_jsonb(OLD) - 'voided_at') THEN
    RETURN NEW;
  END IF;
  IF (to_jsonb(NEW) - 'sealed_payer' - 'settled_at') IS DISTINCT FROM (to_jsonb(OLD) - 'sealed_payer' - 'settled_at')
     OR NEW.sealed_payer IS NOT NULL OR NEW.settled_at IS NULL THEN
    RAISE EXCEPTION 'a payment never changes, but for where its payer is stored, and that it is voided once'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_is_kept BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment();
CREATE TRIGGER payments_are_kept BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payment_applications (
  merchant_id     bigint NOT NULL,
  payment_id      text NOT NULL,
  order_id        text NOT NULL,
  user_id         bigint NOT NULL,
  outcome         text NOT NULL CHECK (outcome IN ('applied', 'suspense')),
  payer_differs   boolean NOT NULL,
  sealed_payer    bytea,
  account_digest  integer,
  name_digest     integer,
  applied_at      timestamptz NOT NULL,
  reapplied_at    timestamptz,
  PRIMARY KEY (merchant_id, payment_id, order_id, outcome),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id),
  CONSTRAINT applied_payment_has_payer CHECK (sealed_payer IS NOT NULL OR outcome = 'suspense'),
  CONSTRAINT only_applied_payment_is_reapplied CHECK (reapplied_at IS NULL OR outcome = 'applied')
);
CREATE INDEX payment_applications_of_order ON payment_applications (merchant_id, order_id);
CREATE INDEX payment_applications_by_account ON payment_applications (account_digest, applied_at) WHERE account_digest IS NOT NULL;
CREATE INDEX payment_applications_by_name ON payment_applications (name_digest, applied_at) WHERE name_digest IS NOT NULL;
COMMENT ON TABLE payment_applications IS
  'What became of a payment under the merchant of its order. Each payment is applied once.';
COMMENT ON COLUMN payment_applications.payer_differs IS 'The payer''s name is unlike the user''s.';
COMMENT ON COLUMN payment_applications.sealed_payer IS
  'The payer''s name and account and the text: under the user''s retained key when applied, else under a key of the '
  'instance.';
COMMENT ON COLUMN payment_applications.account_digest IS
  'The first 32 bits of a keyed digest of the payer''s account, to find who paid from it before.';
COMMENT ON COLUMN payment_applications.name_digest IS 'The same of the payer''s name, without case, accents and order.';
COMMENT ON COLUMN payment_applications.reapplied_at IS
  'When the order took the payment again after it had been taken off, by the merchant''s clock.';
CREATE TRIGGER payment_applications_are_kept BEFORE DELETE OR TRUNCATE ON payment_applications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'sealed_payer' - 'reapplied_at') IS DISTINCT FROM (to_jsonb(OLD) - 'sealed_payer' - 'reapplied_at')
     OR (NEW.sealed_payer IS DISTINCT FROM OLD.sealed_payer AND NEW.sealed_payer IS NOT NULL)
     OR (NEW.reapplied_at IS DISTINCT FROM OLD.reapplied_at AND OLD.reapplied_at IS NOT NULL) THEN
    RAISE EXCEPTION 'an application never changes, but for a copy of the payer that is removed and a payment that is applied again'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER application_is_kept BEFORE UPDATE ON payment_applications FOR EACH ROW EXECUTE FUNCTION keep_application();

CREATE TABLE payment_reversals (
  merchant_id     bigint NOT NULL CHECK (merchant_id >= 0),
  payment_id      text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('taken_off', 'clawback', 'void')),
  order_id        text,
  currency        text NOT NULL,
  amount_minor    bigint NOT NULL CHECK (amount_minor > 0),
  lost_minor      bigint NOT NULL DEFAULT 0 CHECK (lost_minor BETWEEN 0 AND amount_minor),
  bank_reference  text CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  booked_at       timestamptz,
  recorded_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  settled_at      timestamptz,
  settled_by      bigint,
  handed_back_at  timestamptz,
  CONSTRAINT payment_reversed_once PRIMARY KEY (merchant_id, payment_id, kind),
  CONSTRAINT clawback_names_its_movement
    CHECK ((kind = 'clawback') = (bank_reference IS NOT NULL) AND (kind = 'clawback') = (booked_at IS NOT NULL)),
  CONSTRAINT reversal_is_settled_by_an_operator CHECK ((settled_at IS NULL) = (settled_by IS NULL)),
  CONSTRAINT only_a_void_is_handed_back CHECK (handed_back_at IS NULL OR kind = 'void')
);
CREATE INDEX payment_reversals_to_hand_back ON payment_reversals (recorded_at, payment_id)
  WHERE kind = 'void' AND handed_back_at IS NULL;
CREATE INDEX payment_reversals_of_order ON payment_reversals (merchant_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payment_reversals_with_loss ON payment_reversals (recorded_at, payment_id)
  WHERE lost_minor > 0 AND settled_at IS NULL;
COMMENT ON TABLE payment_reversals IS
  'Payments that operators took off their order by mistake of the record, or voided, or that the payer''s bank took '
  'back. Each once.';
COMMENT ON COLUMN payment_reversals.handed_back_at IS
  'When the owner of the account had voided the payment too. Null for a moment where the account is shared.';
COMMENT ON COLUMN payment_reversals.lost_minor IS 'The part that was paid out already when the bank took it back.';
COMMENT ON COLUMN payment_reversals.settled_at IS 'When an operator had dealt with the loss.';
CREATE TRIGGER payment_reversals_are_kept BEFORE DELETE OR TRUNCATE ON payment_reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE suspense_records (
  merchant_id      bigint NOT NULL CHECK (merchant_id >= 0),
  suspense_id      text NOT NULL CHECK (suspense_id ~ '^sus_[0-9A-HJKMNP-TV-Z]{26}$'),
  payment_id       text NOT NULL,
  reason           text NOT NULL,
  currency         text NOT NULL,
  amount_minor     bigint NOT NULL CHECK (amount_minor > 0),
  order_id         text,
  state            text NOT NULL DEFAULT 'OPEN'
                   CHECK (state IN ('OPEN', 'MATCHED', 'HANDED_OVER', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN', 'RETURNED',
                                    'WRITTEN_OFF', 'CLAWED_BACK', 'VOIDED')),
  version          integer NOT NULL DEFAULT 1 CHECK (version > 0),
  remaining_minor  bigint NOT NULL,
  handed_to        text,
  despite          text[] NOT NULL DEFAULT '{}',
  opened_at        timestamptz NOT NULL DEFAULT statement_timestamp(),
  changed_at       timestamptz NOT NULL DEFAULT statement_timestamp(),
  settled_at       timestamptz,
  PRIMARY KEY (merchant_id, suspense_id),
  CONSTRAINT suspense_opened_once UNIQUE (merchant_id, payment_id),
  CONSTRAINT suspense_remains_within_amount CHECK (remaining_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT suspense_remains_until_it_ends
    CHECK ((remaining_minor > 0) = (state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN'))),
  CONSTRAINT suspense_is_handed_to_an_order CHECK ((handed_to IS NOT NULL) = (state = 'HANDED_OVER')),
  CONSTRAINT only_handed_over_suspense_is_settled CHECK (settled_at IS NULL OR state = 'HANDED_OVER')
);
CREATE INDEX suspense_records_waiting ON suspense_records (opened_at, suspense_id) WHERE state IN ('OPEN', 'REFUND_FAILED');
CREATE INDEX suspense_records_by_state ON suspense_records (state, opened_at, suspense_id);
CREATE INDEX suspense_records_held ON suspense_records (merchant_id, suspense_id)
  WHERE state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX suspense_records_to_hand_over ON suspense_records (opened_at, suspense_id)
  WHERE state = 'HANDED_OVER' AND settled_at IS NULL;
CREATE INDEX suspense_records_of_order ON suspense_records (merchant_id, order_id) WHERE order_id IS NOT NULL;
COMMENT ON TABLE suspense_records IS
  'Money that arrived and that no order takes, until a person has decided. The ledger has it on suspense.';
COMMENT ON COLUMN suspense_records.order_id IS 'The order that the money seems to be for.';
COMMENT ON COLUMN suspense_records.remaining_minor IS
  'What we still hold of it: on suspense while OPEN, on refund while it is paid back, on frozen while FROZEN. The '
  'rest was matched, paid back or written off.';
COMMENT ON COLUMN suspense_records.despite IS
  'Hits of the user, and entries that the payer resembles (list, id and hash), in spite of which two operators let the '
  'money go back.';
COMMENT ON COLUMN suspense_records.handed_to IS
  'The order whose merchant takes the money over, from the books of the instance.';
COMMENT ON COLUMN suspense_records.settled_at IS 'When that merchant had taken it over.';
CREATE TRIGGER suspense_records_are_kept BEFORE DELETE OR TRUNCATE ON suspense_records
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The pairs of states come from src/payments/suspense/transitions.ts; a test tries every pair.
CREATE FUNCTION keep_suspense_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'OPEN' OR NEW.version <> 1 OR NEW.remaining_minor <> NEW.amount_minor THEN
      RAISE EXCEPTION 'a suspense record begins as OPEN' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.suspense_id, NEW.payment_id, NEW.reason, NEW.currency, NEW.amount_minor, NEW.order_id, NEW.opened_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.suspense_id, OLD.payment_id, OLD.reason, OLD.currency, OLD.amount_minor, OLD.order_id, OLD.opened_at) THEN
    RAISE EXCEPTION 'what a suspense record is about never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version = OLD.version THEN
    IF (to_jsonb(NEW) - 'settled_at') IS DISTINCT FROM (to_jsonb(OLD) - 'settled_at') OR OLD.settled_at IS NOT NULL THEN
      RAISE EXCEPTION 'the version of a suspense record counts its changes' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'the version of a suspense record counts its changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NOT (
    (OLD.state = 'OPEN' AND NEW.state IN ('CLAWED_BACK', 'FROZEN', 'HANDED_OVER', 'MATCHED', 'OPEN', 'REFUND_PENDING',
       'RETURNED', 'VOIDED', 'WRITTEN_OFF'))
    OR (OLD.state = 'REFUND_PENDING' AND NEW.state IN ('CLAWED_BACK', 'FROZEN', 'OPEN', 'REFUND_FAILED', 'RETURNED'))
    OR (OLD.state = 'REFUND_FAILED' AND NEW.state IN ('CLAWED_BACK', 'FROZEN', 'REFUND_PENDING', 'RETURNED'))
    OR (OLD.state = 'FROZEN' AND NEW.state IN ('CLAWED_BACK', 'OPEN', 'RETURNED'))
    OR (OLD.state = 'RETURNED' AND NEW.state IN ('REFUND_FAILED'))
    -- Of what has ended, only that more was paid back than we held.
    OR (OLD.state = NEW.state AND OLD.remaining_minor = 0
         AND NEW.state IN ('CLAWED_BACK', 'HANDED_OVER', 'MATCHED', 'RETURNED', 'VOIDED', 'WRITTEN_OFF'))
  ) THEN
    RAISE EXCEPTION 'a suspense record does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  -- Only a match takes a part, and only a bounced refund brings money back.
  IF NEW.remaining_minor <> OLD.remaining_minor AND NEW.remaining_minor <> 0 AND OLD.state <> 'RETURNED'
       AND NOT (OLD.state = 'OPEN' AND NEW.state = 'OPEN')
     OR OLD.state = 'OPEN' AND NEW.state = 'OPEN' AND NEW.remaining_minor >= OLD.remaining_minor THEN
    RAISE EXCEPTION 'a suspense record does not change what is left of it this way' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER suspense_keeps_on_its_way BEFORE INSERT OR UPDATE ON suspense_records
  FOR EACH ROW EXECUTE FUNCTION keep_suspense_on_its_way();

CREATE TABLE suspense_notes (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  suspense_id  text NOT NULL,
  version      integer NOT NULL,
  sealed_note  bytea NOT NULL,
  PRIMARY KEY (merchant_id, suspense_id, version),
  FOREIGN KEY (merchant_id, suspense_id) REFERENCES suspense_records (merchant_id, suspense_id)
);
COMMENT ON TABLE suspense_notes IS
  'What an operator wrote about the change that gave the record this version, under a key of the instance.';
CREATE TRIGGER suspense_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON suspense_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payments_by_hand (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  operator_id  bigint NOT NULL,
  day          date NOT NULL,
  usd_minor    bigint NOT NULL,
  PRIMARY KEY (merchant_id, operator_id, day)
);
COMMENT ON TABLE payments_by_hand IS
  'How much each operator recorded by hand on a day (UTC), in US cents: above a sum, a second operator is needed.';

CREATE TABLE payment_imports (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  import_id    text NOT NULL CHECK (import_id ~ '^imp_[0-9A-HJKMNP-TV-Z]{26}$'),
  account_id   text NOT NULL,
  operator_id  bigint NOT NULL,
  lines        integer NOT NULL CHECK (lines > 0),
  created_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  settled_at   timestamptz,
  settled_by   bigint,
  voiding_by   bigint,
  sealed_note  bytea,
  PRIMARY KEY (merchant_id, import_id),
  CONSTRAINT import_is_settled_by_somebody CHECK ((settled_at IS NULL) = (settled_by IS NULL)),
  CONSTRAINT void_of_import_has_note CHECK ((voiding_by IS NULL) = (sealed_note IS NULL))
);
CREATE INDEX payment_imports_by_time ON payment_imports (created_at, import_id);
COMMENT ON TABLE payment_imports IS
  'Files of movements that operators imported. Their lines are in payment_import_parts.';
COMMENT ON COLUMN payment_imports.settled_at IS 'When an operator had dealt with the lines that could not be recorded.';
COMMENT ON COLUMN payment_imports.voiding_by IS 'Who asked to void all that the file recorded. Null: nobody.';
COMMENT ON COLUMN payment_imports.sealed_note IS 'Why, under a key of the instance.';

CREATE TABLE payment_import_parts (
  merchant_id   bigint NOT NULL CHECK (merchant_id >= 0),
  import_id     text NOT NULL,
  part          integer NOT NULL CHECK (part > 0),
  lines         integer NOT NULL CHECK (lines > 0),
  sealed_lines  bytea,
  leased_until  timestamptz,
  results       jsonb,
  faults        integer NOT NULL DEFAULT 0 CHECK (faults BETWEEN 0 AND lines),
  voiding       text CHECK (voiding IN ('wanted', 'done')),
  PRIMARY KEY (merchant_id, import_id, part),
  FOREIGN KEY (merchant_id, import_id) REFERENCES payment_imports (merchant_id, import_id),
  CONSTRAINT part_has_lines_or_results CHECK ((sealed_lines IS NULL) = (results IS NOT NULL))
);
CREATE INDEX payment_import_parts_waiting ON payment_import_parts (merchant_id, import_id, part) WHERE results IS NULL;
CREATE INDEX payment_import_parts_with_faults ON payment_import_parts (merchant_id, import_id) WHERE faults > 0;
CREATE INDEX payment_import_parts_to_void ON payment_import_parts (merchant_id, import_id, part) WHERE voiding = 'wanted';
COMMENT ON TABLE payment_import_parts IS
  'A few hundred lines of an imported file. The lines are removed when their results are there.';
COMMENT ON COLUMN payment_import_parts.sealed_lines IS 'The lines, under a key of the instance.';
COMMENT ON COLUMN payment_import_parts.leased_until IS 'Until when one worker works on the part.';
COMMENT ON COLUMN payment_import_parts.faults IS 'How many of its lines could not be recorded.';
COMMENT ON COLUMN payment_import_parts.voiding IS 'Whether the payments of its lines are to be voided, or that was tried.';
COMMENT ON COLUMN payment_import_parts.results IS 'What became of each line. Contains nothing personal.';
