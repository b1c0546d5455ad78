-- What proves a caller: the keys that sign access tokens, and the tokens that were revoked.

CREATE TABLE signing_keys (
  key_id        text PRIMARY KEY,
  public_key    jsonb NOT NULL,
  sealed_key    bytea NOT NULL,
  activates_at  timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL DEFAULT 'infinity',
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE signing_keys IS
  'Ed25519 keys of access tokens, private halves sealed under the master key. The newest active one signs; all '
  'verify until they expire.';

CREATE TABLE revoked_tokens (
  token_id    text PRIMARY KEY,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX revoked_tokens_expired ON revoked_tokens (expires_at);
COMMENT ON TABLE revoked_tokens IS 'Access tokens that were revoked before they expired.';
