-- Orders: transfers from a quote to their last state. Amounts are in minor units; times are by the merchant's clock.

CREATE TABLE orders (
  merchant_id                bigint NOT NULL,
  order_id                   text NOT NULL
                             CHECK (order_id ~ '^ord_[0-9A-HJKMNP-TV-Z]+$' AND octet_length(order_id) = 30),
  user_id                    bigint NOT NULL,
  quote_code                 text NOT NULL,
  external_order_id          text CHECK (char_length(external_order_id) BETWEEN 1 AND 64),
  payin_reference            text NOT NULL,
  payin_account              jsonb NOT NULL,
  -- Where the order is in its life.
  state                      text NOT NULL,
  public_state               text NOT NULL GENERATED ALWAYS AS
                               (CASE WHEN state = 'FROZEN' THEN 'IN_REVIEW' ELSE state END) STORED,
  status_reason              text,
  review_resumes_at          text,
  information_resumes_at     text,
  requirements               text[] NOT NULL DEFAULT '{}',
  has_unread_answers         boolean NOT NULL DEFAULT false,
  waits_for                  text,
  try_at                     timestamptz,
  retries_payout             boolean NOT NULL DEFAULT false,
  -- The terms.
  fiat_in                    text NOT NULL,
  fiat_out                   text NOT NULL,
  amount_in_minor            bigint NOT NULL CHECK (amount_in_minor > 0),
  amount_out_minor           bigint NOT NULL CHECK (amount_out_minor > 0),
  fee_minor                  bigint NOT NULL CHECK (fee_minor >= 0 AND fee_minor < amount_in_minor),
  rate                       numeric NOT NULL CHECK (rate > 0),
  mid_rate                   numeric NOT NULL CHECK (mid_rate > 0),
  margin_basis_points        integer NOT NULL,
  requotes                   jsonb NOT NULL DEFAULT '[]',
  usd_minor                  bigint CHECK (usd_minor > 0),
  usd_rate_source            text,
  -- What became of the money.
  amount_received_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_received_minor >= 0),
  amount_refunded_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_refunded_minor BETWEEN 0 AND amount_received_minor),
  amount_kept_minor          bigint NOT NULL DEFAULT 0 CHECK (amount_kept_minor >= 0),
  amount_reversed_minor      bigint NOT NULL DEFAULT 0 CHECK (amount_reversed_minor >= 0),
  payout_charges_minor       bigint NOT NULL DEFAULT 0 CHECK (payout_charges_minor >= 0),
  first_paid_at              timestamptz,
  refunds                    jsonb NOT NULL DEFAULT '[]',
  -- Who receives, who sends, and why.
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
  -- Deadlines.
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
  CONSTRAINT orders_usd_value_has_source CHECK ((usd_minor IS NULL) = (usd_rate_source IS NULL)),
  CONSTRAINT orders_deadlines_follow_each_other
    CHECK (rate_guaranteed_until <= payment_due_at AND payment_due_at <= expires_at),
  CONSTRAINT orders_refund_at_most_received
    CHECK (amount_refunded_minor + amount_kept_minor <= amount_received_minor),
  CONSTRAINT orders_reverse_at_most_received CHECK (amount_reversed_minor <= amount_received_minor)
);
CREATE UNIQUE INDEX orders_external_id ON orders (merchant_id, external_order_id) WHERE external_order_id IS NOT NULL;
-- One index for each filter of GET /merchant/orders, the newest first; the last one for updatedSince.
CREATE INDEX orders_by_time ON orders (merchant_id, created_at, order_id);
CREATE INDEX orders_by_status ON orders (merchant_id, public_state, created_at, order_id);
CREATE INDEX orders_by_user ON orders (merchant_id, user_id, created_at, order_id);
CREATE INDEX orders_by_fiat_in ON orders (merchant_id, fiat_in, created_at, order_id);
CREATE INDEX orders_by_fiat_out ON orders (merchant_id, fiat_out, created_at, order_id);
CREATE INDEX orders_by_update ON orders (merchant_id, updated_at, order_id);
CREATE INDEX orders_by_payment ON orders (merchant_id, first_paid_at, order_id) WHERE first_paid_at IS NOT NULL;
-- The waiting line, over all merchants and within one.
CREATE INDEX orders_to_advance ON orders (try_at, merchant_id)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED');
CREATE INDEX orders_to_advance_of_merchant ON orders (merchant_id, try_at)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'ACTION_REQUIRED');
-- What expires: over all merchants, and within one whose clock was moved. Part of the money may have come.
CREATE INDEX orders_awaiting ON orders (expires_at, merchant_id) WHERE state = 'AWAITING_PAYMENT';
CREATE INDEX orders_awaiting_of_merchant ON orders (merchant_id, expires_at) WHERE state = 'AWAITING_PAYMENT';
CREATE INDEX orders_asked ON orders (action_required_by, merchant_id) WHERE state = 'ACTION_REQUIRED';
CREATE INDEX orders_asked_of_merchant ON orders (merchant_id, action_required_by) WHERE state = 'ACTION_REQUIRED';
-- The operators' desk: orders of all merchants by whatever an operator knows of them. What belongs to one merchant's id
-- is found by the primary keys; these are for texts that do not name their merchant. They are on expressions, so that
-- the lists of one merchant are never read through them: they would pass over the orders of all others.
CREATE INDEX orders_of_all_by_time ON orders (timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_state ON orders ((state || ''), timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_user ON orders ((user_id + 0), timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_external_id ON orders ((external_order_id || '')) WHERE external_order_id IS NOT NULL;
CREATE INDEX orders_to_watch ON orders (updated_at, order_id)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'PAYOUT_SUBMITTED', 'PAYOUT_FAILED', 'RETURNED',
                  'REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX orders_frozen ON orders (updated_at, order_id) WHERE state = 'FROZEN';
CREATE INDEX orders_to_retry ON orders (merchant_id, try_at) WHERE retries_payout;
CREATE INDEX orders_with_refund_due ON orders (updated_at, order_id) WHERE state IN ('REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX orders_with_payout_to_decide ON orders (updated_at, order_id) WHERE state IN ('PAYOUT_FAILED', 'RETURNED');
COMMENT ON TABLE orders IS
  'Transfers, one for each quote that was used. The copies of the beneficiary and of the sender''s country are '
  'sealed under the user''s retained key.';
COMMENT ON COLUMN orders.payin_account IS 'A copy of the account that the sender was told to pay to.';
COMMENT ON COLUMN orders.public_state IS 'What merchants and users see: a freeze looks like a review.';
COMMENT ON COLUMN orders.review_resumes_at IS 'The state that an approval goes back to.';
COMMENT ON COLUMN orders.information_resumes_at IS
  'The state that the order goes back to when the information it waits for has come.';
COMMENT ON COLUMN orders.requirements IS
  'Codes of what the sender was last asked for. Shown while the order is ACTION_REQUIRED.';
COMMENT ON COLUMN orders.has_unread_answers IS
  'The sender has answered outside a review, and no review was approved since: a person must read the answers before '
  'money is paid out.';
COMMENT ON COLUMN orders.waits_for IS 'Why the worker could not move the order on when it last tried.';
COMMENT ON COLUMN orders.try_at IS
  'When the worker tries the order next, in real time: the lease of a worker, or the end of a pause. Null: at once.';
COMMENT ON COLUMN orders.retries_payout IS
  'The sender has corrected the beneficiary of a payout that failed, so the worker tries it again.';
COMMENT ON COLUMN orders.requotes IS
  'Each time the order got new terms, because it was paid late, or its earlier terms again, because the late payment was '
  'taken off: the terms before and after. Entries are only added.';
COMMENT ON COLUMN orders.usd_minor IS
  'The value in US cents by which limits count the order, by the rate at its creation. A requote of less reduces it, until its end.';
COMMENT ON COLUMN orders.amount_kept_minor IS 'What was kept of a refund for the charges of banks, in fiat_in.';
COMMENT ON COLUMN orders.amount_reversed_minor IS 'What the payer''s bank has taken back, in fiat_in.';
COMMENT ON COLUMN orders.first_paid_at IS
  'When money first reached the order, by the merchant''s clock. Rules count up to then, so that later payments of other '
  'orders change nothing about this one.';
COMMENT ON COLUMN orders.payout_charges_minor IS
  'What banks charged for payouts that failed or came back, in fiat_out.';
COMMENT ON COLUMN orders.refunds IS
  'What goes back to each payer, the oldest first: id, minor units of fiat_in, what the payer''s bank took back since, '
  'the payments that it pays back, state, reason, times. Nothing personal.';
COMMENT ON COLUMN orders.beneficiary_id IS 'The beneficiary that was copied. Null when it was sent with the order.';
COMMENT ON COLUMN orders.beneficiary_version IS 'Counts corrections; a copy from before a correction does not open.';
COMMENT ON COLUMN orders.sealed_sender IS 'The sender''s country at the creation of the order.';
COMMENT ON COLUMN orders.metadata IS 'The merchant''s own notes. Null after the user was erased.';
COMMENT ON COLUMN orders.expires_at IS
  'When an unpaid order expires: a day after payment_due_at, because banks report late.';
COMMENT ON COLUMN orders.version IS 'Counts all changes; each is made on the version that was read.';
COMMENT ON COLUMN orders.public_version IS 'Counts the changes that merchants and users see.';
COMMENT ON COLUMN orders.updated_at IS 'The last change that merchants and users see.';

-- What was agreed changes by a requote, or by its end, and only so: the order waits for money, keeps its currencies,
-- is for no more than before, and its list of requotes grows by an entry that names both quotes and what was agreed
-- before. The worker's columns change without a new version. The pairs of states come from
-- src/orders/order/transitions.ts; a test tries every pair.
CREATE FUNCTION keep_order_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
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
          AND NEW.requotes #>> '{-1,before,feeMinor}' = OLD.fee_minor::text) IS NOT TRUE
     -- The late money was taken off: the terms of before the last requote, exactly, and none of its money.
     AND (OLD.state = 'AWAITING_PAYMENT' AND NEW.state = OLD.state
          AND NEW.version = OLD.version + 1 AND NEW.amount_received_minor = OLD.amount_received_minor
          AND NEW.amount_received_minor < NEW.amount_in_minor
          AND jsonb_array_length(NEW.requotes) = jsonb_array_length(OLD.requotes) + 1
          AND NEW.requotes - jsonb_array_length(OLD.requotes) = OLD.requotes
          AND NEW.requotes #> '{-1,before}' = OLD.requotes #> '{-1,after}'
          AND NEW.requotes #> '{-1,after}' = OLD.requotes #> '{-1,before}'
          AND NEW.quote_code = OLD.requotes #>> '{-1,before,rateCode}'
          AND NEW.amount_in_minor::text = OLD.requotes #>> '{-1,before,amountInMinor}'
          AND NEW.amount_out_minor::text = OLD.requotes #>> '{-1,before,amountOutMinor}'
          AND NEW.fee_minor::text = OLD.requotes #>> '{-1,before,feeMinor}'
          AND NEW.rate = (OLD.requotes #>> '{-1,before,rate}')::numeric
          AND NEW.usd_minor IS NOT DISTINCT FROM (OLD.requotes #>> '{-1,usdMinorBefore}')::bigint) IS NOT TRUE THEN
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
         'COMPLETED', 'CONVERTED', 'FROZEN', 'PAYMENT_RECEIVED', 'PAYOUT_FAILED', 'REFUNDED', 'REFUND_FAILED',
         'REFUND_PENDING', 'REJECTED', 'RETURNED'))
    OR (OLD.state = 'ACTION_REQUIRED' AND NEW.state IN ('AWAITING_PAYMENT', 'CANCELLED', 'COMPLETED', 'EXPIRED',
         'FROZEN', 'IN_REVIEW', 'PAYMENT_RECEIVED', 'PAYOUT_FAILED', 'REFUNDED', 'REFUND_PENDING', 'RETURNED'))
    OR (OLD.state = 'CONVERTED' AND NEW.state IN ('CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW', 'PAYOUT_FAILED',
         'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'PAYOUT_SUBMITTED' AND NEW.state IN ('CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW',
         'PAYOUT_FAILED'))
    OR (OLD.state = 'COMPLETED' AND NEW.state IN ('PAYOUT_SUBMITTED', 'RETURNED'))
    OR (OLD.state = 'PAYOUT_FAILED' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'COMPLETED', 'FROZEN',
         'IN_REVIEW', 'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'RETURNED' AND NEW.state IN ('ACTION_REQUIRED', 'CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW',
         'PAYOUT_SUBMITTED', 'REFUND_PENDING'))
    OR (OLD.state = 'REJECTED' AND NEW.state IN ('CANCELLED', 'FROZEN', 'IN_REVIEW', 'REFUND_PENDING'))
    OR (OLD.state = 'REFUND_PENDING' AND NEW.state IN ('CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW', 'REFUNDED',
         'REFUND_FAILED'))
    OR (OLD.state = 'REFUND_FAILED' AND NEW.state IN ('CANCELLED', 'COMPLETED', 'FROZEN', 'IN_REVIEW', 'REFUNDED',
         'REFUND_PENDING'))
    OR (OLD.state = 'REFUNDED' AND NEW.state IN ('REFUND_FAILED'))
    OR (OLD.state = 'FROZEN' AND NEW.state IN ('CANCELLED', 'COMPLETED', 'IN_REVIEW', 'REFUNDED', 'REFUND_PENDING'))
  ) THEN
    RAISE EXCEPTION 'an order does not change from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER order_keeps_on_its_way BEFORE INSERT OR UPDATE ON orders
  FOR EACH ROW EXECUTE FUNCTION keep_order_on_its_way();
CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_payin_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the pay-in account of an order never changes' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER order_keeps_payin_account BEFORE UPDATE OF payin_account ON orders
  FOR EACH ROW WHEN (NEW.payin_account IS DISTINCT FROM OLD.payin_account) EXECUTE FUNCTION keep_payin_account();

CREATE TABLE order_disclosures (
  merchant_id        bigint NOT NULL,
  order_id           text NOT NULL,
  language           text NOT NULL,
  text_hash          text NOT NULL CHECK (text_hash ~ '^[0-9a-f]{64}$'),
  sealed_disclosure  bytea NOT NULL,
  accepted_at        timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
COMMENT ON TABLE order_disclosures IS
  'What senders were told before paying, and accepted with the order. Orders that came without an acceptance have none.';
COMMENT ON COLUMN order_disclosures.text_hash IS 'SHA-256 of language, title and sections, as the caller sent it.';
COMMENT ON COLUMN order_disclosures.sealed_disclosure IS
  'Figures and exact text, sealed under the user''s retained key: they tell where the sender lives.';
COMMENT ON COLUMN order_disclosures.accepted_at IS 'When the order was created, by the merchant''s clock.';
CREATE TRIGGER order_disclosures_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_disclosures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  despite_hits     text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id),
  CONSTRAINT review_decision_is_whole CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_by IS NULL))
);
CREATE INDEX order_reviews_undecided ON order_reviews (opened_at, order_id) WHERE decision IS NULL;
COMMENT ON TABLE order_reviews IS
  'Why an order is looked at by a person, and what was decided. The newest row of an order is the review under way.';
COMMENT ON COLUMN order_reviews.version IS 'The version of the order with which the review began.';
COMMENT ON COLUMN order_reviews.reasons IS 'Codes. Only operators see them.';
COMMENT ON COLUMN order_reviews.sealed_findings IS
  'What the gate found, such as matches with screening lists, sealed under the user''s retained key. An approval '
  'clears exactly these.';
COMMENT ON COLUMN order_reviews.opened_at IS 'Real time.';
COMMENT ON COLUMN order_reviews.despite_hits IS
  'Hits of the sender that were confirmed when two operators let the money go back in spite of them.';
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
COMMENT ON TABLE order_notes IS
  'What operators wrote when they acted on an order, sealed under the user''s retained key. Never changed.';
COMMENT ON COLUMN order_notes.version IS 'The version of the order after the action.';
CREATE TRIGGER order_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE order_answers (
  merchant_id     bigint NOT NULL,
  order_id        text NOT NULL,
  version         integer NOT NULL,
  sealed_answers  bytea NOT NULL,
  provided_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, order_id, version),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
COMMENT ON TABLE order_answers IS
  'What senders answered when they were asked for information, sealed under the user''s retained key. Never changed.';
COMMENT ON COLUMN order_answers.version IS 'The version of the order after the answers came.';
CREATE TRIGGER order_answers_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON order_answers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE operator_notes (
  merchant_id  bigint NOT NULL,
  order_id     text NOT NULL,
  number       integer NOT NULL CHECK (number > 0),
  operator_id  bigint NOT NULL,
  sealed_note  bytea NOT NULL,
  written_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, order_id, number),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
COMMENT ON TABLE operator_notes IS 'What operators wrote about an order, sealed under the user''s retained key.';
CREATE TRIGGER operator_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE review_rules (
  rule_id       text PRIMARY KEY CHECK (rule_id ~ '^rul_[0-9A-HJKMNP-TV-Z]{26}$'),
  kind          text NOT NULL CHECK (kind IN ('amount', 'velocity', 'new_beneficiary', 'many_senders')),
  for_merchant  bigint CHECK (for_merchant > 0),
  corridor      text CHECK (corridor ~ '^[A-Z]{3}-[A-Z]{3}$'),
  parameters    jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  is_enabled    boolean NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  -- A key that is missing makes the comparison null, so each is asked for first.
  CONSTRAINT rule_has_its_parameters CHECK (CASE kind
    WHEN 'amount' THEN parameters ? 'fromUsd' OR parameters ?& '{from,currency}'
    WHEN 'velocity' THEN parameters ? 'hours' AND parameters ?| '{maxOrders,maxUsd}'
    WHEN 'new_beneficiary' THEN parameters ?& '{fromUsd,days}'
    WHEN 'many_senders' THEN parameters ?& '{days,maxSenders}'
  END)
);
COMMENT ON TABLE review_rules IS
  'What puts a paid order under review, besides screening. Every machine of a cluster has this table in full. Rules '
  'are disabled, never deleted.';
COMMENT ON COLUMN review_rules.for_merchant IS 'The merchant whose orders the rule is for. Null: all merchants.';
COMMENT ON COLUMN review_rules.corridor IS 'Such as EUR-MXN. Null: all corridors.';
COMMENT ON COLUMN review_rules.parameters IS 'The thresholds of the rule, checked by src/orders/rules/parameters.ts.';
CREATE TRIGGER review_rules_are_kept BEFORE DELETE OR TRUNCATE ON review_rules
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE order_accounts (
  merchant_id     bigint NOT NULL,
  order_id        text NOT NULL,
  user_id         bigint NOT NULL,
  account_digest  bytea NOT NULL CHECK (octet_length(account_digest) = 32),
  shared_digest   bytea NOT NULL CHECK (octet_length(shared_digest) = 32),
  ordered_at      timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE INDEX order_accounts_of_account ON order_accounts (merchant_id, account_digest, ordered_at);
CREATE INDEX order_accounts_by_shared ON order_accounts (shared_digest, ordered_at);
CREATE INDEX order_accounts_of_user ON order_accounts (merchant_id, user_id);
COMMENT ON TABLE order_accounts IS
  'The account that each order is paid out to, as a keyed hash, so that rules recognise it. Deleted when the data '
  'of the user is no longer kept.';
COMMENT ON COLUMN order_accounts.account_digest IS
  'HMAC-SHA256 under a key of the merchant: the same account of two users is recognised within a merchant, and not '
  'between merchants.';
COMMENT ON COLUMN order_accounts.shared_digest IS
  'HMAC-SHA256 of the account under a key of the instance: operators look for an account at all merchants.';
COMMENT ON COLUMN order_accounts.ordered_at IS 'When the order was created, by the merchant''s clock.';

CREATE TABLE order_documents (
  merchant_id  bigint NOT NULL,
  order_id     text NOT NULL,
  document_id  text NOT NULL,
  user_id      bigint NOT NULL,
  media_type   text NOT NULL CHECK (media_type IN ('image/jpeg', 'image/png', 'application/pdf')),
  bytes        integer NOT NULL CHECK (bytes > 0),
  chunks       integer NOT NULL CHECK (chunks > 0),
  kept_in      text NOT NULL CHECK (kept_in IN ('database', 'files')),
  seal         bytea NOT NULL,
  stored_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, order_id, document_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE INDEX order_documents_of_user ON order_documents (merchant_id, user_id);
CREATE INDEX order_documents_in_files ON order_documents (document_id) WHERE kept_in = 'files';
COMMENT ON TABLE order_documents IS
  'What senders uploaded when they were asked for it, sealed in chunks under the user''s retained key: in '
  'order_document_chunks, or in a file of that id. Deleted when the data of the user is no longer kept.';
COMMENT ON COLUMN order_documents.seal IS 'Proves that the other columns are those of the upload.';

CREATE TABLE order_document_chunks (
  merchant_id   bigint NOT NULL,
  order_id      text NOT NULL,
  document_id   text NOT NULL,
  chunk_no      integer NOT NULL CHECK (chunk_no >= 0),
  sealed_chunk  bytea NOT NULL,
  PRIMARY KEY (merchant_id, order_id, document_id, chunk_no),
  FOREIGN KEY (merchant_id, order_id, document_id)
    REFERENCES order_documents (merchant_id, order_id, document_id) ON DELETE CASCADE
);
ALTER TABLE order_document_chunks ALTER COLUMN sealed_chunk SET STORAGE EXTERNAL;
COMMENT ON TABLE order_document_chunks IS
  'The sealed chunks of documents that are kept in the database. Ciphertext does not compress, so nobody tries.';
