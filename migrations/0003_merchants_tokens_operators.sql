-- Who may call: merchants and their secrets, the keys that sign access tokens, operators.

CREATE TABLE merchants (
  merchant_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id          text NOT NULL UNIQUE CHECK (client_id ~ '^[a-z0-9][a-z0-9_-]{2,63}$'),
  name               text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status             text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  allowed_origins    text[] NOT NULL DEFAULT '{}',
  redirect_urls      text[] NOT NULL DEFAULT '{}',
  branding           jsonb NOT NULL DEFAULT '{}',
  payment_policy     jsonb NOT NULL DEFAULT '{}',
  tokens_not_before  timestamptz NOT NULL DEFAULT '-infinity',
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX merchants_suspended ON merchants (merchant_id) WHERE status = 'suspended';
CREATE INDEX merchants_tokens_not_before ON merchants (tokens_not_before) WHERE tokens_not_before > '-infinity';
COMMENT ON TABLE merchants IS 'The API clients. Suspended ones keep their data and are answered 401.';

ALTER TABLE merchant_clocks ADD FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id);

CREATE TABLE merchant_secrets (
  merchant_id  bigint NOT NULL REFERENCES merchants (merchant_id),
  secret_id    bigint GENERATED ALWAYS AS IDENTITY,
  secret_hash  bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, secret_id)
);
COMMENT ON TABLE merchant_secrets IS 'SHA-256 of each live client secret; two at most, so that one can replace the other in peace.';

CREATE TABLE signing_keys (
  key_id        text PRIMARY KEY,
  public_key    jsonb NOT NULL,
  sealed_key    bytea NOT NULL,
  activates_at  timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL DEFAULT 'infinity',
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE signing_keys IS
  'Ed25519 keys of access tokens, private halves sealed under the master key. The newest active one signs; all verify until they expire.';

CREATE TABLE revoked_tokens (
  token_id    text PRIMARY KEY,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX revoked_tokens_expired ON revoked_tokens (expires_at);
COMMENT ON TABLE revoked_tokens IS 'Access tokens that were revoked before they expired.';

CREATE TABLE operators (
  operator_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  login              text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9._@+-]{1,119}$'),
  password_hash      text NOT NULL,
  role               text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'admin')),
  status             text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  tokens_not_before  timestamptz NOT NULL DEFAULT '-infinity',
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE operators IS 'The people who run this instance. They belong to no merchant.';
