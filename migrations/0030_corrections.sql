-- When money goes wrong after it came: refunds with their history, payments that are taken off or clawed back, and payouts
-- that were recorded wrongly.

ALTER TABLE orders
  ADD COLUMN amount_kept_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_kept_minor >= 0),
  ADD COLUMN amount_reversed_minor  bigint NOT NULL DEFAULT 0 CHECK (amount_reversed_minor >= 0),
  ADD COLUMN payout_charges_minor   bigint NOT NULL DEFAULT 0 CHECK (payout_charges_minor >= 0),
  ADD COLUMN refunds                jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN retries_payout         boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT orders_refund_at_most_received
    CHECK (amount_refunded_minor + amount_kept_minor <= amount_received_minor),
  ADD CONSTRAINT orders_reverse_at_most_received CHECK (amount_reversed_minor <= amount_received_minor);
COMMENT ON COLUMN orders.amount_kept_minor IS 'What was kept of a refund for the charges of banks, in fiat_in.';
COMMENT ON COLUMN orders.amount_reversed_minor IS 'What the payer''s bank has taken back, in fiat_in.';
COMMENT ON COLUMN orders.payout_charges_minor IS 'What banks charged for payouts that failed or came back, in fiat_out.';
COMMENT ON COLUMN orders.refunds IS 'What goes back to the payer, the oldest first: id, minor units of fiat_in, state, reason, times. Nothing personal.';
COMMENT ON COLUMN orders.retries_payout IS 'The sender has corrected the beneficiary of a payout that failed, so the worker tries it again.';
CREATE INDEX orders_to_retry ON orders (merchant_id, try_at) WHERE retries_payout;
CREATE INDEX orders_with_refund_due ON orders (updated_at, order_id) WHERE state IN ('REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX orders_with_payout_to_decide ON orders (updated_at, order_id) WHERE state IN ('PAYOUT_FAILED', 'RETURNED');

-- As before, except that a mistake can be corrected: PAID by mistake goes back to ACCEPTED, and a payment that was thought
-- dead turns out to be PAID. The pairs of states come from src/payouts/transitions.ts; a test tries every pair.
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
    OR (OLD.state = 'PAID' AND NEW.state IN ('ACCEPTED', 'RETURNED'))
    OR (OLD.state IN ('RECALLED', 'REJECTED', 'RETURNED') AND NEW.state = 'PAID')
  ) THEN
    RAISE EXCEPTION 'an attempt does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TABLE payment_reversals (
  merchant_id     bigint NOT NULL CHECK (merchant_id >= 0),
  payment_id      text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('taken_off', 'clawback')),
  order_id        text,
  currency        text NOT NULL,
  amount_minor    bigint NOT NULL CHECK (amount_minor > 0),
  lost_minor      bigint NOT NULL DEFAULT 0 CHECK (lost_minor BETWEEN 0 AND amount_minor),
  bank_reference  text CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  booked_at       timestamptz,
  recorded_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  settled_at      timestamptz,
  settled_by      bigint,
  CONSTRAINT payment_reversed_once PRIMARY KEY (merchant_id, payment_id, kind),
  CHECK ((kind = 'clawback') = (bank_reference IS NOT NULL) AND (kind = 'clawback') = (booked_at IS NOT NULL)),
  CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
CREATE INDEX payment_reversals_of_order ON payment_reversals (merchant_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payment_reversals_with_loss ON payment_reversals (recorded_at, payment_id)
  WHERE lost_minor > 0 AND settled_at IS NULL;
CREATE TRIGGER payment_reversals_are_kept BEFORE DELETE OR TRUNCATE ON payment_reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE payment_reversals IS 'Payments that an operator took off their order by mistake of the record, or that the payer''s bank took back. Each once.';
COMMENT ON COLUMN payment_reversals.lost_minor IS 'The part that was paid out already when the bank took it back.';
COMMENT ON COLUMN payment_reversals.settled_at IS 'When an operator had dealt with the loss.';

-- A payer's bank may also take back money in suspense.
ALTER TABLE suspense_records DROP CONSTRAINT suspense_records_state_check;
ALTER TABLE suspense_records ADD CONSTRAINT suspense_records_state_check
  CHECK (state IN ('OPEN', 'MATCHED', 'HANDED_OVER', 'REFUND_PENDING', 'REFUND_FAILED', 'RETURNED', 'WRITTEN_OFF', 'CLAWED_BACK'));
CREATE OR REPLACE FUNCTION keep_suspense_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
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
    (OLD.state = 'OPEN' AND NEW.state IN ('CLAWED_BACK', 'HANDED_OVER', 'MATCHED', 'OPEN', 'REFUND_PENDING', 'WRITTEN_OFF'))
    OR (OLD.state = 'REFUND_PENDING' AND NEW.state IN ('REFUND_FAILED', 'RETURNED'))
    OR (OLD.state = 'REFUND_FAILED' AND NEW.state IN ('CLAWED_BACK', 'REFUND_PENDING'))
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
