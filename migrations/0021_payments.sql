-- Money in: the accounts that senders pay to, the movements on them, what each was applied to, and what is in suspense.
-- Amounts are in minor units; times are by the owner's clock, but for those of imports.

-- No merchant_id: a movement is reported by the account alone, so every machine has all accounts.
CREATE TABLE payin_accounts (
  account_id  text PRIMARY KEY CHECK (account_id ~ '^[a-z0-9][a-z0-9._-]{0,39}$' AND account_id <> 'simulated'),
  owner_id    bigint NOT NULL CHECK (owner_id >= 0),
  currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  holder      text NOT NULL CHECK (char_length(holder) BETWEEN 1 AND 140),
  bank_name   text NOT NULL CHECK (char_length(bank_name) BETWEEN 1 AND 140),
  country     text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  details     jsonb NOT NULL,
  is_enabled  boolean NOT NULL,
  version     integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at  timestamptz NOT NULL DEFAULT statement_timestamp()
);
CREATE INDEX payin_accounts_by_currency ON payin_accounts (currency, owner_id) WHERE is_enabled;
COMMENT ON TABLE payin_accounts IS 'The bank accounts of the operator that senders pay to. The ledger calls its bank accounts after them.';
COMMENT ON COLUMN payin_accounts.owner_id IS 'The merchant whose orders are paid there; 0 for an account that all merchants share.';

ALTER TABLE orders ADD COLUMN payin_account jsonb;
COMMENT ON COLUMN orders.payin_account IS 'A copy of the account that the sender was told to pay to. Null for orders of earlier versions.';
CREATE FUNCTION keep_payin_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the pay-in account of an order never changes' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER order_keeps_payin_account BEFORE UPDATE OF payin_account ON orders
  FOR EACH ROW WHEN (NEW.payin_account IS DISTINCT FROM OLD.payin_account) EXECUTE FUNCTION keep_payin_account();

CREATE TABLE payments (
  merchant_id        bigint NOT NULL CHECK (merchant_id >= 0),
  payment_id         text NOT NULL CHECK (payment_id ~ '^pay_[0-9A-HJKMNP-TV-Z]{26}$'),
  account_id         text NOT NULL,
  bank_reference     text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  currency           text NOT NULL,
  amount_minor       bigint NOT NULL CHECK (amount_minor > 0),
  booked_at          timestamptz NOT NULL,
  source             text NOT NULL CHECK (source IN ('operator', 'import', 'sandbox')),
  import_id          text,
  import_line        integer CHECK (import_line > 0),
  outcome            text NOT NULL CHECK (outcome IN ('applied', 'suspense', 'handed_over')),
  reason             text,
  order_merchant_id  bigint CHECK (order_merchant_id > 0),
  order_id           text,
  sealed_payer       bytea,
  settled_at         timestamptz,
  recorded_at        timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payments_recorded_once UNIQUE (merchant_id, account_id, bank_reference),
  CHECK ((order_merchant_id IS NULL) = (order_id IS NULL)),
  CHECK ((import_id IS NULL) = (import_line IS NULL)),
  CHECK ((outcome = 'suspense') = (reason IS NOT NULL)),
  CHECK (outcome = 'suspense' OR order_id IS NOT NULL)
);
CREATE INDEX payments_to_hand_over ON payments (recorded_at, payment_id) WHERE outcome = 'handed_over' AND settled_at IS NULL;
COMMENT ON TABLE payments IS 'Movements on pay-in accounts, each recorded once under the owner of the account. Merchant 0 owns shared accounts.';
COMMENT ON COLUMN payments.bank_reference IS 'The bank''s own reference of the movement: the same one reported again is the same payment.';
COMMENT ON COLUMN payments.order_id IS 'The order that its reference names, or nearly names. Null when there is none.';
COMMENT ON COLUMN payments.sealed_payer IS
  'The payer''s name and account and the text, under a key of the instance. Null once payment_applications has them.';
COMMENT ON COLUMN payments.settled_at IS 'When the merchant of the order had taken over a payment on a shared account.';

CREATE FUNCTION keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'sealed_payer' - 'settled_at') IS DISTINCT FROM (to_jsonb(OLD) - 'sealed_payer' - 'settled_at')
     OR NEW.sealed_payer IS NOT NULL OR NEW.settled_at IS NULL THEN
    RAISE EXCEPTION 'a payment never changes, but for where its payer is stored' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_is_kept BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment();
CREATE TRIGGER payments_are_kept BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payment_applications (
  merchant_id    bigint NOT NULL,
  payment_id     text NOT NULL,
  order_id       text NOT NULL,
  user_id        bigint NOT NULL,
  outcome        text NOT NULL CHECK (outcome IN ('applied', 'suspense')),
  payer_differs  boolean NOT NULL,
  sealed_payer   bytea NOT NULL,
  applied_at     timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, payment_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE INDEX payment_applications_of_order ON payment_applications (merchant_id, order_id);
CREATE TRIGGER payment_applications_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_applications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE payment_applications IS 'What became of a payment under the merchant of its order. Each payment is applied once.';
COMMENT ON COLUMN payment_applications.payer_differs IS 'The payer''s name is unlike the user''s.';
COMMENT ON COLUMN payment_applications.sealed_payer IS
  'The payer''s name and account and the text: under the user''s retained key when applied, else under a key of the instance.';

CREATE TABLE suspense_records (
  merchant_id   bigint NOT NULL CHECK (merchant_id >= 0),
  suspense_id   text NOT NULL CHECK (suspense_id ~ '^sus_[0-9A-HJKMNP-TV-Z]{26}$'),
  payment_id    text NOT NULL,
  reason        text NOT NULL,
  currency      text NOT NULL,
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  order_id      text,
  opened_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, suspense_id),
  CONSTRAINT suspense_opened_once UNIQUE (merchant_id, payment_id)
);
CREATE INDEX suspense_records_by_age ON suspense_records (opened_at, suspense_id);
CREATE TRIGGER suspense_records_are_kept BEFORE DELETE OR TRUNCATE ON suspense_records
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE suspense_records IS 'Money that arrived and that no order takes, until a person has decided. The ledger has it on suspense.';
COMMENT ON COLUMN suspense_records.order_id IS 'The order that the money seems to be for.';

CREATE TABLE payments_by_hand (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  operator_id  bigint NOT NULL,
  day          date NOT NULL,
  usd_minor    bigint NOT NULL,
  PRIMARY KEY (merchant_id, operator_id, day)
);
COMMENT ON TABLE payments_by_hand IS 'How much each operator recorded by hand on a day (UTC), in US cents: above a sum, a second operator is needed.';

CREATE TABLE payment_imports (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  import_id    text NOT NULL CHECK (import_id ~ '^imp_[0-9A-HJKMNP-TV-Z]{26}$'),
  account_id   text NOT NULL,
  operator_id  bigint NOT NULL,
  lines        integer NOT NULL CHECK (lines > 0),
  created_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, import_id)
);
COMMENT ON TABLE payment_imports IS 'Files of movements that operators imported. Their lines are in payment_import_parts.';

CREATE TABLE payment_import_parts (
  merchant_id   bigint NOT NULL CHECK (merchant_id >= 0),
  import_id     text NOT NULL,
  part          integer NOT NULL CHECK (part > 0),
  lines         integer NOT NULL CHECK (lines > 0),
  sealed_lines  bytea,
  leased_until  timestamptz,
  results       jsonb,
  PRIMARY KEY (merchant_id, import_id, part),
  FOREIGN KEY (merchant_id, import_id) REFERENCES payment_imports (merchant_id, import_id),
  CHECK ((sealed_lines IS NULL) = (results IS NOT NULL))
);
CREATE INDEX payment_import_parts_waiting ON payment_import_parts (merchant_id, import_id, part) WHERE results IS NULL;
COMMENT ON TABLE payment_import_parts IS 'A few hundred lines of an imported file. The lines are removed when their results are there.';
COMMENT ON COLUMN payment_import_parts.sealed_lines IS 'The lines, under a key of the instance.';
COMMENT ON COLUMN payment_import_parts.leased_until IS 'Until when one worker works on the part.';
COMMENT ON COLUMN payment_import_parts.results IS 'What became of each line. Contains nothing personal.';
