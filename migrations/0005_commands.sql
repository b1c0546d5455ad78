-- The answer that each command keeps for a repeated Idempotency-Key.

CREATE TABLE idempotency_keys (
  merchant_id  bigint NOT NULL,
  scope_hash   bytea NOT NULL CHECK (octet_length(scope_hash) = 32),
  fingerprint  bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  status       smallint NOT NULL DEFAULT 200 CHECK (status IN (200, 202)),
  answer       text NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, scope_hash)
);
CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at);
COMMENT ON TABLE idempotency_keys IS
  'The answer of each keyed command, committed together with its effect. No answer holds personal data.';
COMMENT ON COLUMN idempotency_keys.status IS 'The status of the answer.';
