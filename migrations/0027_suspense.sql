-- What becomes of money in suspense: it is matched to an order, handed over to the merchant of one, paid back, or written
-- off. Also: who paid is found again by keyed digests, and an attempt to pay back may belong to a suspense record.

ALTER TABLE suspense_records
  ADD COLUMN state           text NOT NULL DEFAULT 'OPEN'
    CHECK (state IN ('OPEN', 'MATCHED', 'HANDED_OVER', 'REFUND_PENDING', 'REFUND_FAILED', 'RETURNED', 'WRITTEN_OFF')),
  ADD COLUMN version         integer NOT NULL DEFAULT 1 CHECK (version > 0),
  ADD COLUMN remaining_minor bigint,
  ADD COLUMN handed_to       text,
  ADD COLUMN settled_at      timestamptz,
  ADD COLUMN changed_at      timestamptz NOT NULL DEFAULT statement_timestamp();
UPDATE suspense_records SET remaining_minor = amount_minor, changed_at = opened_at;
ALTER TABLE suspense_records
  ALTER COLUMN remaining_minor SET NOT NULL,
  ADD CHECK (remaining_minor BETWEEN 0 AND amount_minor),
  ADD CHECK ((remaining_minor > 0) = (state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED'))),
  ADD CHECK ((handed_to IS NOT NULL) = (state = 'HANDED_OVER')),
  ADD CHECK (settled_at IS NULL OR state = 'HANDED_OVER');
DROP INDEX suspense_records_by_age;
CREATE INDEX suspense_records_waiting ON suspense_records (opened_at, suspense_id) WHERE state IN ('OPEN', 'REFUND_FAILED');
CREATE INDEX suspense_records_by_state ON suspense_records (state, opened_at, suspense_id);
CREATE INDEX suspense_records_held ON suspense_records (merchant_id, suspense_id)
  WHERE state IN ('OPEN', 'REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX suspense_records_to_hand_over ON suspense_records (opened_at, suspense_id)
  WHERE state = 'HANDED_OVER' AND settled_at IS NULL;
COMMENT ON COLUMN suspense_records.remaining_minor IS
  'What we still hold of it: on suspense while OPEN, on refund while it is paid back. The rest was matched, paid back or written off.';
COMMENT ON COLUMN suspense_records.handed_to IS 'The order whose merchant takes the money over, from the books of the instance.';
COMMENT ON COLUMN payments.settled_at IS
  'When the merchant of the order had taken over a payment on a shared account, or orders had all of a payment that was in suspense.';
COMMENT ON COLUMN suspense_records.settled_at IS 'When that merchant had taken it over.';

-- Nodes of the previous version do not know the column. Triggers fire in the order of their names.
CREATE FUNCTION begin_suspense_whole() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.remaining_minor := coalesce(NEW.remaining_minor, NEW.amount_minor);
  RETURN NEW;
END $$;
CREATE TRIGGER suspense_begins_whole BEFORE INSERT ON suspense_records FOR EACH ROW EXECUTE FUNCTION begin_suspense_whole();

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
    (OLD.state = 'OPEN' AND NEW.state IN ('HANDED_OVER', 'MATCHED', 'OPEN', 'REFUND_PENDING', 'WRITTEN_OFF'))
    OR (OLD.state = 'REFUND_PENDING' AND NEW.state IN ('REFUND_FAILED', 'RETURNED'))
    OR (OLD.state = 'REFUND_FAILED' AND NEW.state IN ('REFUND_PENDING'))
    OR (OLD.state = 'RETURNED' AND NEW.state IN ('REFUND_FAILED'))
  ) THEN
    RAISE EXCEPTION 'a suspense record does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  -- Only a match takes a part, and only a bounced refund brings money back.
  IF NEW.remaining_minor <> OLD.remaining_minor AND NEW.remaining_minor <> 0 AND NEW.state <> 'OPEN' AND OLD.state <> 'RETURNED'
     OR NEW.state = 'OPEN' AND NEW.remaining_minor >= OLD.remaining_minor THEN
    RAISE EXCEPTION 'a suspense record does not change what is left of it this way' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER suspense_keeps_on_its_way BEFORE INSERT OR UPDATE ON suspense_records
  FOR EACH ROW EXECUTE FUNCTION keep_suspense_on_its_way();

CREATE TABLE suspense_steps (
  merchant_id   bigint NOT NULL CHECK (merchant_id >= 0),
  suspense_id   text NOT NULL,
  version       integer NOT NULL CHECK (version > 1),
  event         text NOT NULL,
  state         text NOT NULL,
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  order_id      text,
  operator_id   bigint,
  sealed_note   bytea,
  taken_at      timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, suspense_id, version),
  FOREIGN KEY (merchant_id, suspense_id) REFERENCES suspense_records (merchant_id, suspense_id)
);
CREATE TRIGGER suspense_steps_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON suspense_steps
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE suspense_steps IS 'The history of each suspense record: what happened, with how much of it, and who decided it.';
COMMENT ON COLUMN suspense_steps.version IS 'The version that the record had afterwards.';
COMMENT ON COLUMN suspense_steps.order_id IS 'The order that took the money.';
COMMENT ON COLUMN suspense_steps.sealed_note IS 'What the operator wrote, under a key of the instance.';

-- A payment is applied to several orders when an operator divides it. The copy of the payer under the key of the instance is
-- removed once an order has all of the money.
ALTER TABLE payment_applications DROP CONSTRAINT payment_applications_pkey;
ALTER TABLE payment_applications
  ADD PRIMARY KEY (merchant_id, payment_id, order_id, outcome),
  ALTER COLUMN sealed_payer DROP NOT NULL,
  ADD CHECK (sealed_payer IS NOT NULL OR outcome = 'suspense'),
  ADD COLUMN account_digest integer,
  ADD COLUMN name_digest    integer;
CREATE INDEX payment_applications_by_account ON payment_applications (account_digest, applied_at) WHERE account_digest IS NOT NULL;
CREATE INDEX payment_applications_by_name ON payment_applications (name_digest, applied_at) WHERE name_digest IS NOT NULL;
COMMENT ON COLUMN payment_applications.account_digest IS
  'The first 32 bits of a keyed digest of the payer''s account, to find who paid from it before.';
COMMENT ON COLUMN payment_applications.name_digest IS 'The same of the payer''s name, without case, accents and order.';
DROP TRIGGER payment_applications_are_kept ON payment_applications;
CREATE TRIGGER payment_applications_are_kept BEFORE DELETE OR TRUNCATE ON payment_applications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION keep_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'sealed_payer') IS DISTINCT FROM (to_jsonb(OLD) - 'sealed_payer') OR NEW.sealed_payer IS NOT NULL THEN
    RAISE EXCEPTION 'an application never changes, but for a copy of the payer that is removed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER application_is_kept BEFORE UPDATE ON payment_applications FOR EACH ROW EXECUTE FUNCTION keep_application();

ALTER TABLE payout_attempts
  ALTER COLUMN order_id DROP NOT NULL,
  ALTER COLUMN user_id DROP NOT NULL,
  ALTER COLUMN payout_country DROP NOT NULL,
  ADD COLUMN suspense_id text,
  ADD COLUMN bank        text,
  ADD CHECK ((order_id IS NULL) = (suspense_id IS NOT NULL)),
  ADD CHECK ((order_id IS NULL) = (user_id IS NULL)),
  ADD CHECK (order_id IS NULL OR (merchant_id > 0 AND payout_country IS NOT NULL)),
  ADD CHECK (suspense_id IS NULL OR (direction = 'refund' AND bank IS NOT NULL)),
  ADD UNIQUE (merchant_id, suspense_id, number),
  ADD FOREIGN KEY (merchant_id, suspense_id) REFERENCES suspense_records (merchant_id, suspense_id);
CREATE UNIQUE INDEX payout_attempts_one_alive_of_suspense ON payout_attempts (merchant_id, suspense_id)
  WHERE suspense_id IS NOT NULL AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED');
COMMENT ON TABLE payout_attempts IS
  'Attempts to pay an order out or back, or money in suspense back. The content is written before the rail is asked, sealed under the user''s retained key, or under a key of the instance for money in suspense.';
COMMENT ON COLUMN payout_attempts.number IS 'Counts the attempts of an order, payouts and refunds together, or those of a suspense record.';
COMMENT ON COLUMN payout_attempts.suspense_id IS 'The suspense record that is paid back; null for an order.';
COMMENT ON COLUMN payout_attempts.bank IS 'The account that money in suspense arrived on, and is paid back from.';

CREATE OR REPLACE FUNCTION keep_attempt_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'READY' OR NEW.version <> 1 OR NEW.message_id IS NOT NULL THEN
      RAISE EXCEPTION 'an attempt begins as READY' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.attempt_id, NEW.order_id, NEW.user_id, NEW.suspense_id, NEW.bank, NEW.direction, NEW.number,
      NEW.reference, NEW.rail, NEW.corridor, NEW.currency, NEW.amount_minor, NEW.payout_country, NEW.payout_method,
      NEW.payout_account, NEW.sealed_content, NEW.created_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.attempt_id, OLD.order_id, OLD.user_id, OLD.suspense_id, OLD.bank, OLD.direction, OLD.number,
      OLD.reference, OLD.rail, OLD.corridor, OLD.currency, OLD.amount_minor, OLD.payout_country, OLD.payout_method,
      OLD.payout_account, OLD.sealed_content, OLD.created_at) THEN
    RAISE EXCEPTION 'what an attempt pays never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.message_id IS NOT NULL AND (NEW.message_id, NEW.message_at) IS DISTINCT FROM (OLD.message_id, OLD.message_at) THEN
    RAISE EXCEPTION 'an attempt stays in its message' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state = 'SENDING' AND NEW.message_id IS NULL THEN
    RAISE EXCEPTION 'an attempt is sent in a message' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state = OLD.state THEN
    IF NEW.version <> OLD.version THEN
      RAISE EXCEPTION 'the version of an attempt counts its states' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'the version of an attempt counts its states' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NOT (
    (OLD.state = 'READY' AND NEW.state IN ('ACCEPTED', 'PAID', 'RECALLED', 'REJECTED', 'SENDING'))
    OR (OLD.state = 'SENDING' AND NEW.state IN ('ACCEPTED', 'PAID', 'RECALLED', 'REJECTED', 'RETURNED', 'UNKNOWN'))
    OR (OLD.state = 'UNKNOWN' AND NEW.state IN ('ACCEPTED', 'PAID', 'RECALLED', 'REJECTED', 'RETURNED', 'SENDING'))
    OR (OLD.state = 'ACCEPTED' AND NEW.state IN ('PAID', 'RECALLED', 'REJECTED', 'RETURNED', 'UNKNOWN'))
    OR (OLD.state = 'PAID' AND NEW.state IN ('RETURNED'))
  ) THEN
    RAISE EXCEPTION 'an attempt does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
