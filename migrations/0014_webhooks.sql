-- How merchants are told of changes: the urls that events go to, the secrets that sign them, every attempt to deliver
-- one.

CREATE VIEW events AS
  SELECT merchant_id, event_id, channel, event_type AS type, subject AS record,
         substr(subject, strpos(subject, ':') + 1) AS subject, object, previous_status, occurred_at, recorded_at, sequence,
         traceparent
    FROM changes
   WHERE event_id IS NOT NULL AND recorded_at > statement_timestamp() - interval '90 days';
COMMENT ON VIEW events IS
  'The changes that merchants are told of, for 90 days. The subject is the id of the order or KYC case.';

CREATE TABLE webhook_endpoints (
  merchant_id           bigint NOT NULL REFERENCES merchants (merchant_id),
  channel               text NOT NULL CHECK (channel IN ('order', 'kyc')),
  url                   text NOT NULL CHECK (char_length(url) <= 2048),
  status                text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_because      text CHECK (disabled_because IN ('gone', 'failing')),
  disabled_at           timestamptz,
  registered_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  sends_traceparent     boolean NOT NULL DEFAULT false,
  lanes                 smallint NOT NULL DEFAULT 4 CHECK (lanes > 0),
  consecutive_failures  integer NOT NULL DEFAULT 0,
  failing_since         timestamptz,
  failing_attempts      integer NOT NULL DEFAULT 0,
  last_success_at       timestamptz,
  last_failure_at       timestamptz,
  window_began_at       timestamptz,
  window_attempts       integer NOT NULL DEFAULT 0,
  window_failures       integer NOT NULL DEFAULT 0,
  circuit_open_until    timestamptz,
  circuit_openings      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, channel),
  CONSTRAINT disabled_endpoint_has_reason CHECK ((status = 'disabled') = (disabled_because IS NOT NULL)),
  CONSTRAINT disabled_endpoint_has_time CHECK ((status = 'disabled') = (disabled_at IS NOT NULL))
);
COMMENT ON TABLE webhook_endpoints IS 'One url for each merchant and channel, and its health.';
COMMENT ON COLUMN webhook_endpoints.sends_traceparent IS
  'The merchant wants the trace of each delivery in a traceparent header.';
COMMENT ON COLUMN webhook_endpoints.lanes IS 'How many attempts may be in flight at once.';

CREATE TABLE webhook_secrets (
  merchant_id    bigint NOT NULL REFERENCES merchants (merchant_id),
  secret_id      uuid NOT NULL,
  sealed_secret  bytea NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at     timestamptz NOT NULL DEFAULT 'infinity',
  PRIMARY KEY (merchant_id, secret_id)
);
COMMENT ON TABLE webhook_secrets IS
  'The secrets that sign notifications, sealed. After a rotation the previous secret keeps signing until it expires.';

CREATE TABLE deliveries (
  merchant_id      bigint NOT NULL,
  event_id         text NOT NULL,
  channel          text NOT NULL,
  subject          text NOT NULL,
  sequence         bigint,
  state            text NOT NULL CHECK (state IN ('pending', 'delivered', 'exhausted', 'dropped')),
  due_at           timestamptz NOT NULL,
  attempts         integer NOT NULL DEFAULT 0,
  last_attempt_no  integer NOT NULL DEFAULT 0,
  injected_fault   text CHECK (injected_fault IN ('duplicate', 'reorder', 'delay', 'drop')),
  delivered_at     timestamptz,
  lease_token      uuid,
  leased_until     timestamptz,
  recorded_at      timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, event_id),
  CONSTRAINT lease_has_end CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
  CONSTRAINT only_pending_is_leased CHECK (lease_token IS NULL OR state = 'pending')
);
CREATE INDEX deliveries_pending ON deliveries (merchant_id, channel, due_at, sequence) WHERE state = 'pending';
CREATE INDEX deliveries_held_back ON deliveries (merchant_id, channel, sequence)
  WHERE state = 'pending' AND injected_fault = 'reorder' AND last_attempt_no = 0;
CREATE INDEX deliveries_leased ON deliveries (merchant_id, channel) WHERE lease_token IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (merchant_id, channel, sequence) WHERE state IN ('exhausted', 'dropped');
CREATE INDEX deliveries_by_time ON deliveries USING brin (recorded_at);
COMMENT ON TABLE deliveries IS
  'Each event that is or was to be sent. No row: no url was registered when the event was numbered.';
COMMENT ON COLUMN deliveries.attempts IS 'Since the event was last put on its way; decides when it is tried again.';
COMMENT ON COLUMN deliveries.last_attempt_no IS 'Runs on over redeliveries.';
COMMENT ON COLUMN deliveries.lease_token IS
  'The claim under which it is being sent. A result counts only under this token; a new url and a new claim end it.';

CREATE TABLE delivery_attempts (
  merchant_id   bigint NOT NULL,
  event_id      text NOT NULL,
  attempt_no    integer NOT NULL,
  started_at    timestamptz NOT NULL,
  duration_ms   integer NOT NULL,
  url           text NOT NULL,
  outcome       text NOT NULL,
  status        smallint,
  answer_start  bytea CHECK (octet_length(answer_start) <= 1024),
  PRIMARY KEY (merchant_id, event_id, attempt_no)
);
CREATE INDEX delivery_attempts_with_answer ON delivery_attempts (started_at) WHERE answer_start IS NOT NULL;
COMMENT ON TABLE delivery_attempts IS
  'Every request that was made, where it went and what came back. The beginning of the answer is for operators.';

CREATE TABLE webhook_faults (
  merchant_id    bigint NOT NULL REFERENCES merchants (merchant_id),
  channel        text NOT NULL CHECK (channel IN ('order', 'kyc')),
  fault          text NOT NULL CHECK (fault IN ('duplicate', 'reorder', 'delay', 'drop')),
  events         integer NOT NULL CHECK (events BETWEEN 1 AND 1000),
  applied        integer NOT NULL DEFAULT 0,
  delay_seconds  integer NOT NULL DEFAULT 0 CHECK (delay_seconds BETWEEN 0 AND 3600),
  PRIMARY KEY (merchant_id, channel)
);
COMMENT ON TABLE webhook_faults IS 'What a sandbox merchant asked to go wrong with its next notifications.';

CREATE FUNCTION refuse_faults_in_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT mode FROM instance) IS DISTINCT FROM 'sandbox' THEN
    RAISE EXCEPTION 'faults are injected in the sandbox only' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER webhook_faults_are_for_the_sandbox BEFORE INSERT OR UPDATE ON webhook_faults
  FOR EACH ROW EXECUTE FUNCTION refuse_faults_in_live();
