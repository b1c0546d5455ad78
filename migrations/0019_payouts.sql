-- Payouts: attempts to move money out of the house, what rails report about them, and what operators pause.

CREATE TABLE payout_attempts (
  merchant_id         bigint NOT NULL,
  attempt_id          text NOT NULL
                      CHECK (attempt_id ~ '^att_[0-9A-HJKMNP-TV-Z]+$' AND octet_length(attempt_id) = 30),
  order_id            text,
  user_id             bigint,
  refund_id           text,
  suspense_id         text,
  bank                text,
  direction           text NOT NULL CHECK (direction IN ('payout', 'refund')),
  number              integer NOT NULL CHECK (number > 0),
  reference           text NOT NULL CHECK (char_length(reference) <= 35),
  rail                text NOT NULL,
  corridor            text NOT NULL,
  currency            text NOT NULL,
  amount_minor        bigint NOT NULL CHECK (amount_minor > 0),
  payout_country      text,
  payout_method       text NOT NULL,
  payout_account      text,
  sealed_content      bytea NOT NULL,
  sealed_pickup_code  bytea,
  state               text NOT NULL,
  message_id          text,
  message_at          timestamptz,
  due_at              timestamptz,
  asked               integer NOT NULL DEFAULT 0,
  leased_until         timestamptz,
  lease_holder        text,
  version             integer NOT NULL CHECK (version > 0),
  created_at          timestamptz NOT NULL,
  changed_at          timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, attempt_id),
  UNIQUE (merchant_id, reference),
  UNIQUE (merchant_id, order_id, number),
  UNIQUE (merchant_id, suspense_id, number),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id),
  FOREIGN KEY (merchant_id, suspense_id) REFERENCES suspense_records (merchant_id, suspense_id),
  CONSTRAINT attempt_is_for_order_or_suspense CHECK ((order_id IS NULL) = (suspense_id IS NOT NULL)),
  CONSTRAINT attempt_for_order_has_user CHECK ((order_id IS NULL) = (user_id IS NULL)),
  CONSTRAINT refund_of_order_is_named CHECK ((refund_id IS NOT NULL) = (order_id IS NOT NULL AND direction = 'refund')),
  CONSTRAINT attempt_for_order_has_country
    CHECK (order_id IS NULL OR (merchant_id > 0 AND payout_country IS NOT NULL)),
  CONSTRAINT suspense_is_paid_back_from_a_bank
    CHECK (suspense_id IS NULL OR (direction = 'refund' AND bank IS NOT NULL)),
  CONSTRAINT attempt_message_has_time CHECK ((message_id IS NULL) = (message_at IS NULL)),
  CONSTRAINT attempt_lease_has_holder CHECK ((leased_until IS NULL) = (lease_holder IS NULL))
);
-- An attempt whose outcome is unknown is alive, so nobody is paid twice.
CREATE UNIQUE INDEX payout_attempts_one_alive ON payout_attempts (merchant_id, order_id)
  WHERE direction = 'payout' AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED');
CREATE UNIQUE INDEX payout_attempts_one_alive_of_refund ON payout_attempts (merchant_id, refund_id)
  WHERE refund_id IS NOT NULL AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED');
CREATE INDEX payout_attempts_due ON payout_attempts (due_at, merchant_id) WHERE due_at IS NOT NULL;
CREATE INDEX payout_attempts_due_of_merchant ON payout_attempts (merchant_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payout_attempts_of_message ON payout_attempts (merchant_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX payout_attempts_unfinished ON payout_attempts (created_at, attempt_id)
  WHERE state IN ('READY', 'SENDING', 'ACCEPTED', 'UNKNOWN');
CREATE INDEX payout_attempts_by_state ON payout_attempts (state, created_at, attempt_id);
CREATE INDEX payout_attempts_by_time ON payout_attempts (merchant_id, created_at, attempt_id);
CREATE UNIQUE INDEX payout_attempts_one_alive_of_suspense ON payout_attempts (merchant_id, suspense_id)
  WHERE suspense_id IS NOT NULL AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED');
COMMENT ON TABLE payout_attempts IS
  'Attempts to pay an order out or back, or money in suspense back. The content is written before the rail is '
  'asked, sealed under the user''s retained key, or under a key of the instance for money in suspense.';
COMMENT ON COLUMN payout_attempts.refund_id IS 'The refund of the order, of which each payer has one; null for a payout.';
COMMENT ON COLUMN payout_attempts.suspense_id IS 'The suspense record that is paid back; null for an order.';
COMMENT ON COLUMN payout_attempts.bank IS 'The account that money in suspense arrived on, and is paid back from.';
COMMENT ON COLUMN payout_attempts.number IS
  'Counts the attempts of an order, payouts and refunds together, or those of a suspense record.';
COMMENT ON COLUMN payout_attempts.reference IS 'What the rail and the banks know the payment by.';
COMMENT ON COLUMN payout_attempts.message_id IS
  'The message in which the attempt was sent first. Sending again repeats that message.';
COMMENT ON COLUMN payout_attempts.due_at IS
  'When the rail is to be asked, by the merchant''s clock. Null while there is nothing to ask.';
COMMENT ON COLUMN payout_attempts.asked IS 'How often the rail was asked in this state.';
COMMENT ON COLUMN payout_attempts.leased_until IS 'Until when one worker alone asks the rail, in real time.';

-- A mistake can be corrected: PAID goes back to ACCEPTED, and a payment that was thought dead turns out to be PAID. The
-- pairs of states come from src/payouts/transitions.ts; a test tries every pair.
CREATE FUNCTION keep_attempt_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'READY' OR NEW.version <> 1 OR NEW.message_id IS NOT NULL THEN
      RAISE EXCEPTION 'an attempt begins as READY' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.attempt_id, NEW.order_id, NEW.user_id, NEW.refund_id, NEW.suspense_id, NEW.bank, NEW.direction, NEW.number,
      NEW.reference, NEW.rail, NEW.corridor, NEW.currency, NEW.amount_minor, NEW.payout_country, NEW.payout_method,
      NEW.payout_account, NEW.sealed_content, NEW.created_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.attempt_id, OLD.order_id, OLD.user_id, OLD.refund_id, OLD.suspense_id, OLD.bank, OLD.direction, OLD.number,
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
  IF NEW.version <> OLD.version + 1 AND (NEW.state <> OLD.state OR NEW.version <> OLD.version) THEN
    RAISE EXCEPTION 'the version of an attempt counts its changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.state = OLD.state THEN
    RETURN NEW;
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
CREATE TRIGGER attempt_keeps_on_its_way BEFORE INSERT OR UPDATE ON payout_attempts
  FOR EACH ROW EXECUTE FUNCTION keep_attempt_on_its_way();
CREATE TRIGGER payout_attempts_are_kept BEFORE DELETE OR TRUNCATE ON payout_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payout_reports (
  merchant_id   bigint NOT NULL,
  rail          text NOT NULL,
  report_id     text NOT NULL CHECK (char_length(report_id) BETWEEN 1 AND 200),
  attempt_id    text,
  reference     text NOT NULL CHECK (char_length(reference) <= 200),
  kind          text NOT NULL
                CHECK (kind IN ('accepted', 'available_for_pickup', 'paid', 'rejected', 'returned', 'recalled')),
  currency      text,
  amount_minor  bigint,
  charge_minor  bigint,
  bank          text,
  reason        text CHECK (char_length(reason) <= 100),
  sealed_raw    bytea,
  outcome       text NOT NULL CHECK (outcome IN ('applied', 'old', 'contradictory', 'unmatched')),
  detail        text,
  order_version integer,
  recorded_by   bigint,
  is_handed_in  boolean NOT NULL DEFAULT false,
  occurred_at   timestamptz,
  received_at   timestamptz NOT NULL,
  settled_at    timestamptz,
  settled_by    bigint,
  PRIMARY KEY (merchant_id, rail, report_id),
  CONSTRAINT report_is_settled_by_an_operator CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
CREATE INDEX payout_reports_of_attempt ON payout_reports (merchant_id, attempt_id, received_at) WHERE attempt_id IS NOT NULL;
CREATE INDEX payout_reports_to_examine ON payout_reports (received_at, rail, report_id)
  WHERE outcome IN ('contradictory', 'unmatched') AND settled_at IS NULL;
CREATE INDEX payout_reports_by_id ON payout_reports (report_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX payout_reports_of_bank ON payout_reports (merchant_id, bank, received_at) WHERE bank IS NOT NULL;
COMMENT ON TABLE payout_reports IS
  'What rails and operators reported about attempts, each report once. Reports for nothing we know belong to '
  'merchant 0.';
COMMENT ON COLUMN payout_reports.bank IS 'The bank account of the ledger on which an operator recorded the movement.';
COMMENT ON COLUMN payout_reports.sealed_raw IS
  'What the rail sent, sealed under the user''s retained key; under a key of the instance while unmatched.';
COMMENT ON COLUMN payout_reports.outcome IS
  'applied: it changed the attempt. old: it said nothing new. The others changed nothing and wait for an operator.';
COMMENT ON COLUMN payout_reports.order_version IS
  'The version that the order of a payout got with the report: the journals of that version belong to this payout.';
COMMENT ON COLUMN payout_reports.is_handed_in IS 'It is from a document that an operator handed in.';
COMMENT ON COLUMN payout_reports.recorded_by IS 'The operator who recorded it; null for what a rail said.';
COMMENT ON COLUMN payout_reports.settled_at IS 'When an operator had examined a report that changed nothing.';
CREATE TRIGGER payout_reports_are_kept BEFORE DELETE OR TRUNCATE ON payout_reports
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE payout_documents (
  merchant_id     bigint NOT NULL CHECK (merchant_id = 0),
  rail            text NOT NULL,
  digest          text NOT NULL,
  reports         integer NOT NULL CHECK (reports >= 0),
  sealed_content  bytea NOT NULL,
  results         jsonb,
  received_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  leased_until    timestamptz,
  CONSTRAINT document_is_received_once PRIMARY KEY (merchant_id, rail, digest)
);
CREATE INDEX payout_documents_to_apply ON payout_documents (received_at) WHERE results IS NULL;
COMMENT ON TABLE payout_documents IS
  'Files of rails that operators handed in. A job applies their reports, which belong to many merchants.';
COMMENT ON COLUMN payout_documents.digest IS 'Of the content: the same file is one document.';
COMMENT ON COLUMN payout_documents.sealed_content IS 'The file, sealed under a key of the instance.';
COMMENT ON COLUMN payout_documents.results IS 'What became of each report; null until all were applied.';

CREATE TABLE payout_pauses (
  kind           text NOT NULL CHECK (kind IN ('rail', 'corridor', 'merchant', 'everything')),
  name           text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  stops_payouts  boolean NOT NULL,
  stops_orders   boolean NOT NULL,
  stops_quotes   boolean NOT NULL,
  note           text NOT NULL,
  role           text NOT NULL CHECK (role IN ('reviewer', 'admin')),
  operator_id    bigint NOT NULL,
  paused_at      timestamptz NOT NULL,
  PRIMARY KEY (kind, name),
  CONSTRAINT pause_stops_something CHECK (stops_payouts OR stops_orders OR stops_quotes)
);
COMMENT ON TABLE payout_pauses IS
  'What operators have paused: a rail by its name, a corridor as USD-MXN, a merchant by its number, or everything.';
COMMENT ON COLUMN payout_pauses.role IS 'The highest role of those who paused it. Whoever resumes it has it too.';

CREATE TABLE payout_rail_failures (
  rail           text PRIMARY KEY,
  failures       integer NOT NULL CHECK (failures > 0),
  failing_since  timestamptz NOT NULL,
  resumes_at     timestamptz NOT NULL
);
COMMENT ON TABLE payout_rail_failures IS
  'Rails that failed and have not succeeded since. Nothing is sent to one before resumes_at.';

CREATE TABLE payout_recorded_sums (
  operator_id  bigint NOT NULL,
  currency     text NOT NULL,
  day          date NOT NULL,
  sum_minor    bigint NOT NULL CHECK (sum_minor >= 0),
  PRIMARY KEY (operator_id, currency, day)
);
COMMENT ON TABLE payout_recorded_sums IS
  'What each operator has recorded by hand on a day (UTC) without a second person.';
