-- Operators see with an order what came for it and is in suspense, and prove that a payout did not come back after all.

CREATE INDEX suspense_records_of_order ON suspense_records (merchant_id, order_id) WHERE order_id IS NOT NULL;

-- As before, except that a payout that was recorded as returned by mistake completes its order again.
CREATE OR REPLACE FUNCTION keep_order_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same_version orders;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'AWAITING_PAYMENT' OR NEW.version <> 1 OR NEW.amount_received_minor <> 0 OR NEW.requotes <> '[]' THEN
      RAISE EXCEPTION 'an order begins as AWAITING_PAYMENT' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.order_id, NEW.user_id, NEW.external_order_id, NEW.payin_reference, NEW.fiat_in, NEW.fiat_out,
      NEW.usd_rate_source, NEW.created_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.order_id, OLD.user_id, OLD.external_order_id, OLD.payin_reference, OLD.fiat_in, OLD.fiat_out,
      OLD.usd_rate_source, OLD.created_at) THEN
    RAISE EXCEPTION 'what was agreed in an order never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.quote_code, NEW.amount_in_minor, NEW.amount_out_minor, NEW.fee_minor, NEW.rate, NEW.mid_rate,
      NEW.margin_basis_points, NEW.usd_minor, NEW.requotes)
     IS DISTINCT FROM
     (OLD.quote_code, OLD.amount_in_minor, OLD.amount_out_minor, OLD.fee_minor, OLD.rate, OLD.mid_rate,
      OLD.margin_basis_points, OLD.usd_minor, OLD.requotes)
     AND (OLD.state IN ('AWAITING_PAYMENT', 'ACTION_REQUIRED') AND NEW.state = OLD.state
          AND NEW.version = OLD.version + 1 AND NEW.amount_received_minor = OLD.amount_received_minor
          AND NEW.quote_code <> OLD.quote_code
          AND NEW.amount_in_minor BETWEEN OLD.amount_received_minor AND OLD.amount_in_minor
          AND (NEW.usd_minor <= OLD.usd_minor OR NEW.usd_minor IS NULL AND OLD.usd_minor IS NULL)
          AND jsonb_array_length(NEW.requotes) = jsonb_array_length(OLD.requotes) + 1
          AND NEW.requotes - jsonb_array_length(OLD.requotes) = OLD.requotes
          AND NEW.requotes #>> '{-1,after,rateCode}' = NEW.quote_code
          AND NEW.requotes #>> '{-1,before,rateCode}' = OLD.quote_code
          AND NEW.requotes #>> '{-1,before,amountInMinor}' = OLD.amount_in_minor::text
          AND NEW.requotes #>> '{-1,before,amountOutMinor}' = OLD.amount_out_minor::text
          AND NEW.requotes #>> '{-1,before,feeMinor}' = OLD.fee_minor::text) IS NOT TRUE THEN
    RAISE EXCEPTION 'what was agreed in an order changes by a requote only' USING ERRCODE = 'restrict_violation';
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
    OR (OLD.state = 'RETURNED' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW',
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
