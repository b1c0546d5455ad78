-- Orders: transfers from a quote to their last state. Amounts are in minor units; times are by the merchant's clock.

CREATE TABLE orders (
  merchant_id                bigint NOT NULL,
  order_id                   text NOT NULL CHECK (order_id ~ '^ord_[0-9A-HJKMNP-TV-Z]{26}$'),
  user_id                    bigint NOT NULL,
  quote_code                 text NOT NULL,
  external_order_id          text CHECK (char_length(external_order_id) BETWEEN 1 AND 64),
  payin_reference            text NOT NULL,
  state                      text NOT NULL,
  public_state               text NOT NULL GENERATED ALWAYS AS
                               (CASE WHEN state = 'FROZEN' THEN 'IN_REVIEW' ELSE state END) STORED,
  review_resumes_at          text,
  information_resumes_at     text,
  status_reason              text,
  fiat_in                    text NOT NULL,
  fiat_out                   text NOT NULL,
  amount_in_minor            bigint NOT NULL CHECK (amount_in_minor > 0),
  amount_out_minor           bigint NOT NULL CHECK (amount_out_minor > 0),
  fee_minor                  bigint NOT NULL CHECK (fee_minor >= 0 AND fee_minor < amount_in_minor),
  rate                       numeric NOT NULL CHECK (rate > 0),
  mid_rate                   numeric NOT NULL CHECK (mid_rate > 0),
  margin_basis_points        integer NOT NULL,
  amount_received_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_received_minor >= 0),
  amount_refunded_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_refunded_minor BETWEEN 0 AND amount_received_minor),
  usd_minor                  bigint CHECK (usd_minor > 0),
  usd_rate_source            text,
  beneficiary_id             text,
  beneficiary_version        integer NOT NULL DEFAULT 1 CHECK (beneficiary_version > 0),
  payout_country             text NOT NULL,
  payout_method              text NOT NULL,
  payout_account             text,
  sealed_beneficiary         bytea NOT NULL,
  sealed_sender              bytea NOT NULL,
  purpose                    text NOT NULL,
  source_of_funds            text,
  relationship               text,
  metadata                   jsonb,
  rate_guaranteed_until      timestamptz NOT NULL,
  payment_due_at             timestamptz NOT NULL,
  expires_at                 timestamptz NOT NULL,
  cancellable_until          timestamptz,
  action_required_by         timestamptz,
  refund_due_by              timestamptz,
  estimated_arrival_at       timestamptz,
  cancellation_requested_at  timestamptz,
  version                    integer NOT NULL CHECK (version > 0),
  public_version             integer NOT NULL CHECK (public_version BETWEEN 1 AND version),
  created_at                 timestamptz NOT NULL,
  updated_at                 timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  CONSTRAINT orders_quote_is_used_once UNIQUE (merchant_id, quote_code),
  CONSTRAINT orders_payin_reference UNIQUE (merchant_id, payin_reference),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  FOREIGN KEY (merchant_id, quote_code) REFERENCES quotes (merchant_id, code),
  CHECK ((usd_minor IS NULL) = (usd_rate_source IS NULL)),
  CHECK (rate_guaranteed_until <= payment_due_at AND payment_due_at <= expires_at)
);
CREATE UNIQUE INDEX orders_external_id ON orders (merchant_id, external_order_id) WHERE external_order_id IS NOT NULL;
-- One index for each filter of GET /merchant/orders, the newest first; the last one for updatedSince.
CREATE INDEX orders_by_time ON orders (merchant_id, created_at, order_id);
CREATE INDEX orders_by_status ON orders (merchant_id, public_state, created_at, order_id);
CREATE INDEX orders_by_user ON orders (merchant_id, user_id, created_at, order_id);
CREATE INDEX orders_by_fiat_in ON orders (merchant_id, fiat_in, created_at, order_id);
CREATE INDEX orders_by_fiat_out ON orders (merchant_id, fiat_out, created_at, order_id);
CREATE INDEX orders_by_update ON orders (merchant_id, updated_at, order_id);
-- What expires: over all merchants, and within one whose clock was moved.
CREATE INDEX orders_unpaid ON orders (expires_at, merchant_id) WHERE state = 'AWAITING_PAYMENT' AND amount_received_minor = 0;
CREATE INDEX orders_unpaid_of_merchant ON orders (merchant_id, expires_at)
  WHERE state = 'AWAITING_PAYMENT' AND amount_received_minor = 0;
COMMENT ON TABLE orders IS 'Transfers, one for each quote that was used. The copies of the beneficiary and of the sender''s country are sealed under the user''s retained key.';
COMMENT ON COLUMN orders.public_state IS 'What merchants and users see: a freeze looks like a review.';
COMMENT ON COLUMN orders.review_resumes_at IS 'The state that an approval goes back to.';
COMMENT ON COLUMN orders.information_resumes_at IS 'The state that the order goes back to when the information it waits for has come.';
COMMENT ON COLUMN orders.usd_minor IS 'The value in US cents by which limits count the order, fixed at its creation.';
COMMENT ON COLUMN orders.beneficiary_id IS 'The beneficiary that was copied. Null when it was sent with the order.';
COMMENT ON COLUMN orders.beneficiary_version IS 'Counts corrections; a copy from before a correction does not open.';
COMMENT ON COLUMN orders.sealed_sender IS 'The sender''s country at the creation of the order.';
COMMENT ON COLUMN orders.metadata IS 'The merchant''s own notes. Null after the user was erased.';
COMMENT ON COLUMN orders.expires_at IS 'When an unpaid order expires: a day after payment_due_at, because banks report late.';
COMMENT ON COLUMN orders.version IS 'Counts all changes; each is made on the version that was read.';
COMMENT ON COLUMN orders.public_version IS 'Counts the changes that merchants and users see.';
COMMENT ON COLUMN orders.updated_at IS 'The last change that merchants and users see.';

-- The pairs of states come from src/orders/transitions.ts; a test tries every pair.
CREATE FUNCTION keep_order_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF NEW.version = OLD.version AND NEW.metadata IS NULL AND NEW.state = OLD.state AND NEW.updated_at = OLD.updated_at THEN
    RETURN NEW;
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
CREATE TRIGGER order_keeps_on_its_way BEFORE INSERT OR UPDATE ON orders
  FOR EACH ROW EXECUTE FUNCTION keep_order_on_its_way();
CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE order_timeline (
  merchant_id     bigint NOT NULL,
  order_id        text NOT NULL,
  version         integer NOT NULL,
  public_version  integer,
  event           text NOT NULL,
  from_state      text,
  to_state        text NOT NULL,
  status_reason   text,
  actor_kind      text NOT NULL CHECK (actor_kind IN ('merchant', 'user', 'operator', 'system')),
  actor_id        text NOT NULL,
  journal_ids     bigint[] NOT NULL DEFAULT '{}',
  occurred_at     timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE TRIGGER order_timeline_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_timeline
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE order_timeline IS 'Each transition of an order: who caused it and which journals it wrote. Never changed.';
COMMENT ON COLUMN order_timeline.public_version IS 'The version that merchants and users see; null for what they do not see.';
