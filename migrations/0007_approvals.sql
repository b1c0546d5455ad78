-- Four eyes: commands of operators that wait for a second person.

CREATE TABLE approval_requests (
  merchant_id     bigint NOT NULL CHECK (merchant_id >= 0),
  approval_id     text NOT NULL,
  action          text NOT NULL,
  operation_id    text NOT NULL,
  subject         text NOT NULL,
  records         text[] NOT NULL,
  version         text NOT NULL,
  sealed_payload  bytea,
  payload_hash    bytea NOT NULL CHECK (octet_length(payload_hash) = 32),
  requested_by    bigint NOT NULL,
  requested_at    timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL CHECK (expires_at > requested_at),
  state           text NOT NULL DEFAULT 'pending'
                  CHECK (state IN ('pending', 'approved', 'refused', 'withdrawn', 'expired', 'void', 'outdated')),
  decided_by      bigint,
  ended_at        timestamptz,
  sealed_reason   bytea,
  result_path     text,
  sealed_answer   bytea,
  PRIMARY KEY (merchant_id, approval_id),
  CONSTRAINT approval_by_another_operator CHECK (decided_by IS DISTINCT FROM requested_by),
  CONSTRAINT decision_has_operator CHECK ((state IN ('approved', 'refused')) = (decided_by IS NOT NULL)),
  CONSTRAINT ended_request_has_time CHECK ((state = 'pending') = (ended_at IS NULL)),
  CONSTRAINT pending_request_has_payload CHECK (state <> 'pending' OR sealed_payload IS NOT NULL),
  CONSTRAINT only_refusal_has_reason CHECK (sealed_reason IS NULL OR state = 'refused'),
  CONSTRAINT only_approval_has_result CHECK (state = 'approved' OR num_nonnulls(result_path, sealed_answer) = 0)
);
CREATE UNIQUE INDEX approval_requests_pending ON approval_requests (merchant_id, action, subject) WHERE state = 'pending';
CREATE INDEX approval_requests_by_age ON approval_requests (requested_at, approval_id) WHERE state = 'pending';
CREATE INDEX approval_requests_by_end ON approval_requests (ended_at, approval_id) WHERE state <> 'pending';
CREATE INDEX approval_requests_to_forget ON approval_requests (ended_at)
  WHERE state <> 'pending' AND num_nonnulls(sealed_payload, sealed_reason, sealed_answer) > 0;
COMMENT ON TABLE approval_requests IS
  'Commands of operators that wait for a second person, and how each ended. Merchant 0 is the instance.';
COMMENT ON COLUMN approval_requests.operation_id IS 'The command that runs when the request is approved.';
COMMENT ON COLUMN approval_requests.records IS 'The records that show the request while it is pending.';
COMMENT ON COLUMN approval_requests.version IS
  'The version of the subject that the request is about. Another one makes it stale.';
COMMENT ON COLUMN approval_requests.sealed_payload IS
  'The request as it came, with the note and what it would replace, sealed together with the other columns. It is '
  'removed 90 days after the request has ended.';
COMMENT ON COLUMN approval_requests.payload_hash IS 'A keyed hash of the payload, also in the audit log.';
COMMENT ON COLUMN approval_requests.requested_by IS 'The id of the operator who asked.';
COMMENT ON COLUMN approval_requests.decided_by IS 'The id of the operator who approved or refused.';
COMMENT ON COLUMN approval_requests.result_path IS 'Where the result is found, for what did not exist before.';
COMMENT ON COLUMN approval_requests.sealed_answer IS
  'An answer with a secret, until the operator who asked has fetched it, at most 24 hours.';

CREATE FUNCTION keep_ended_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.merchant_id, NEW.approval_id, NEW.action, NEW.operation_id, NEW.subject, NEW.records, NEW.version,
      NEW.payload_hash, NEW.requested_by, NEW.requested_at, NEW.expires_at)
     IS DISTINCT FROM
     (OLD.merchant_id, OLD.approval_id, OLD.action, OLD.operation_id, OLD.subject, OLD.records, OLD.version,
      OLD.payload_hash, OLD.requested_by, OLD.requested_at, OLD.expires_at) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.sealed_payload IS NOT NULL AND NEW.sealed_payload IS DISTINCT FROM OLD.sealed_payload THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  -- What is sealed may still be removed.
  IF OLD.state <> 'pending'
     AND ((NEW.state, NEW.decided_by, NEW.ended_at, NEW.result_path)
            IS DISTINCT FROM (OLD.state, OLD.decided_by, OLD.ended_at, OLD.result_path)
          OR (NEW.sealed_reason IS NOT NULL AND NEW.sealed_reason IS DISTINCT FROM OLD.sealed_reason)
          OR (NEW.sealed_answer IS NOT NULL AND NEW.sealed_answer IS DISTINCT FROM OLD.sealed_answer)) THEN
    RAISE EXCEPTION 'a request for approval ends once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_ends_once BEFORE UPDATE ON approval_requests
  FOR EACH ROW EXECUTE FUNCTION keep_ended_approval();

CREATE TABLE four_eyes_setting (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  actions  text[] NOT NULL,
  set_at   timestamptz NOT NULL
);
COMMENT ON TABLE four_eyes_setting IS
  'The actions that needed a second person at the last start. A change of this setting is recorded in the audit log.';
