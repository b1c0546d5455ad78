-- What moves a paid order forward: the waiting line of the worker, reviews with their notes, and requests for information.

ALTER TABLE orders
  ADD COLUMN requirements text[] NOT NULL DEFAULT '{}',
  ADD COLUMN waits_for    text,
  ADD COLUMN try_at       timestamptz;
COMMENT ON COLUMN orders.requirements IS 'Codes of what the sender was last asked for. Shown while the order is ACTION_REQUIRED.';
COMMENT ON COLUMN orders.waits_for IS 'Why the worker could not move the order on when it last tried.';
COMMENT ON COLUMN orders.try_at IS 'When the worker tries the order next, in real time: the lease of a worker, or the end of a pause. Null: at once.';
-- The waiting line, over all merchants and within one.
CREATE INDEX orders_to_advance ON orders (try_at, merchant_id)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED');
CREATE INDEX orders_to_advance_of_merchant ON orders (merchant_id, try_at)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED');
-- What expires: over all merchants, and within one whose clock was moved. Part of the money may have come.
DROP INDEX orders_unpaid;
DROP INDEX orders_unpaid_of_merchant;
CREATE INDEX orders_awaiting ON orders (expires_at, merchant_id) WHERE state = 'AWAITING_PAYMENT';
CREATE INDEX orders_awaiting_of_merchant ON orders (merchant_id, expires_at) WHERE state = 'AWAITING_PAYMENT';
CREATE INDEX orders_asked ON orders (action_required_by, merchant_id) WHERE state = 'ACTION_REQUIRED';
CREATE INDEX orders_asked_of_merchant ON orders (merchant_id, action_required_by) WHERE state = 'ACTION_REQUIRED';

-- As before, except that the worker's columns may change without a new version, and nothing else may.
CREATE OR REPLACE FUNCTION keep_order_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same_version orders;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'AWAITING_PAYMENT' OR NEW.version <> 1 OR NEW.amount_received_minor <> 0 THEN
      RAISE EXCEPTION 'an order begins as AWAITING_PAYMENT' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.order_id, NEW.user_id, NEW.quote_code, NEW.external_order_id, NEW.payin_reference,
      NEW.fiat_in, NEW.fiat_out, NEW.amount_in_minor, NEW.amount_out_minor, NEW.fee_minor, NEW.rate, NEW.mid_rate,
      NEW.margin_basis_points, NEW.usd_minor, NEW.usd_rate_source, NEW.created_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.order_id, OLD.user_id, OLD.quote_code, OLD.external_order_id, OLD.payin_reference,
      OLD.fiat_in, OLD.fiat_out, OLD.amount_in_minor, OLD.amount_out_minor, OLD.fee_minor, OLD.rate, OLD.mid_rate,
      OLD.margin_basis_points, OLD.usd_minor, OLD.usd_rate_source, OLD.created_at) THEN
    RAISE EXCEPTION 'what was agreed in an order never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.version = OLD.version THEN
    same_version := OLD;
    same_version.waits_for := NEW.waits_for;
    same_version.try_at := NEW.try_at;
    -- Computed after this trigger.
    same_version.public_state := NEW.public_state;
    IF NEW.metadata IS NULL THEN
      same_version.metadata := NULL;
    END IF;
    IF NEW IS NOT DISTINCT FROM same_version THEN
      RETURN NEW;
    END IF;
  END IF;
  IF NEW.version <> OLD.version + 1 OR NEW.public_version NOT IN (OLD.public_version, OLD.public_version + 1) THEN
    RAISE EXCEPTION 'the version of an order counts its changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state <> OLD.state AND NOT (
    (OLD.state = 'AWAITING_PAYMENT' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'EXPIRED',
         'FROZEN', 'IN_REVIEW', 'PAYMENT_RECEIVED', 'REFUND_PENDING'))
    OR (OLD.state = 'PAYMENT_RECEIVED' AND NEW.state IN ('ACTION_REQUIRED', 'AWAITING_PAYMENT', 'CANCELLED',
         'CONVERTED', 'FROZEN', 'IN_REVIEW', 'REFUND_PENDING'))
    OR (OLD.state = 'IN_REVIEW' AND NEW.state IN ('ACTION_REQUIRED', 'AWAITING_PAYMENT', 'CANCELLED',
         'CONVERTED', 'FROZEN', 'PAYMENT_RECEIVED', 'PAYOUT_FAILED', 'REFUND_FAILED', 'REFUND_PENDING', 'REJECTED', 'RETURNED'))
    OR (OLD.state = 'ACTION_REQUIRED' AND NEW.state IN ('AWAITING_PAYMENT', 'CANCELLED', 'EXPIRED',
         'FROZEN', 'IN_REVIEW', 'PAYMENT_RECEIVED', 'PAYOUT_FAILED', 'REFUND_PENDING', 'RETURNED'))
    OR (OLD.state = 'CONVERTED' AND NEW.state IN ('CANCELLED', 'FROZEN', 'IN_REVIEW', 'PAYOUT_FAILED',
         'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'PAYOUT_SUBMITTED' AND NEW.state IN ('COMPLETED', 'PAYOUT_FAILED'))
    OR (OLD.state = 'COMPLETED' AND NEW.state IN ('PAYOUT_SUBMITTED', 'RETURNED'))
    OR (OLD.state = 'PAYOUT_FAILED' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'COMPLETED', 'FROZEN',
         'IN_REVIEW', 'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'RETURNED' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'FROZEN', 'IN_REVIEW',
         'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'REJECTED' AND NEW.state IN ('CANCELLED', 'FROZEN', 'IN_REVIEW', 'REFUND_PENDING'))
    OR (OLD.state = 'REFUND_PENDING' AND NEW.state IN ('CANCELLED', 'FROZEN', 'IN_REVIEW', 'REFUNDED',
         'REFUND_FAILED'))
    OR (OLD.state = 'REFUND_FAILED' AND NEW.state IN ('CANCELLED', 'FROZEN', 'IN_REVIEW', 'REFUND_PENDING'))
    OR (OLD.state = 'REFUNDED' AND NEW.state IN ('REFUND_FAILED'))
    OR (OLD.state = 'FROZEN' AND NEW.state IN ('CANCELLED', 'IN_REVIEW', 'REFUND_PENDING'))
  ) THEN
    RAISE EXCEPTION 'an order does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TABLE order_reviews (
  merchant_id      bigint NOT NULL,
  order_id         text NOT NULL,
  version          integer NOT NULL,
  reasons          text[] NOT NULL CHECK (cardinality(reasons) > 0),
  sealed_findings  bytea NOT NULL,
  opened_at        timestamptz NOT NULL DEFAULT statement_timestamp(),
  decision         text CHECK (decision IN ('approved', 'refused')),
  decision_reason  text,
  decided_by       bigint,
  decided_at       timestamptz,
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id),
  CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_by IS NULL))
);
CREATE INDEX order_reviews_undecided ON order_reviews (opened_at, order_id) WHERE decision IS NULL;
COMMENT ON TABLE order_reviews IS 'Why an order is looked at by a person, and what was decided. The newest row of an order is the review under way.';
COMMENT ON COLUMN order_reviews.version IS 'The version of the order with which the review began.';
COMMENT ON COLUMN order_reviews.reasons IS 'Codes. Only operators see them.';
COMMENT ON COLUMN order_reviews.sealed_findings IS 'What the gate found, such as matches with screening lists, sealed under the user''s retained key. An approval clears exactly these.';
COMMENT ON COLUMN order_reviews.opened_at IS 'Real time.';
COMMENT ON COLUMN order_reviews.decision_reason IS 'Why an order was refused. Only operators see it.';

CREATE TABLE order_notes (
  merchant_id  bigint NOT NULL,
  order_id     text NOT NULL,
  version      integer NOT NULL,
  event        text NOT NULL,
  operator_id  bigint NOT NULL,
  sealed_note  bytea NOT NULL,
  written_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE TRIGGER order_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE order_notes IS 'What operators wrote when they acted on an order, sealed under the user''s retained key. Never changed.';
COMMENT ON COLUMN order_notes.version IS 'The version of the order after the action.';

CREATE TABLE order_answers (
  merchant_id     bigint NOT NULL,
  order_id        text NOT NULL,
  version         integer NOT NULL,
  sealed_answers  bytea NOT NULL,
  provided_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE TRIGGER order_answers_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_answers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE order_answers IS 'What senders answered when they were asked for information, sealed under the user''s retained key. Never changed.';
COMMENT ON COLUMN order_answers.version IS 'The version of the order after the answers came.';
