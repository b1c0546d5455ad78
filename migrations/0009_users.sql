-- The people who send money, and the keys without which nothing of them can be read.

CREATE TABLE users (
  merchant_id         bigint NOT NULL REFERENCES merchants (merchant_id),
  user_id             bigint NOT NULL,
  external_client_id  text NOT NULL,
  status              text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  profile             bytea,
  retained_profile    bytea,
  created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, user_id),
  UNIQUE (merchant_id, external_client_id),
  CONSTRAINT active_user_has_profile CHECK ((status = 'active') = (profile IS NOT NULL)),
  CONSTRAINT only_deleted_user_is_retained CHECK (status = 'deleted' OR retained_profile IS NULL)
);
CREATE UNIQUE INDEX users_active ON users (merchant_id, user_id) INCLUDE (external_client_id) WHERE status = 'active';
COMMENT ON TABLE users IS 'Who sends. Nothing personal is here in clear; a deleted user stays as a number.';
COMMENT ON COLUMN users.user_id IS 'Milliseconds since 2025 and 12 random bits. It tells nothing about other users.';
COMMENT ON COLUMN users.profile IS 'The eight fields, sealed under the user''s profile key.';
COMMENT ON COLUMN users.retained_profile IS 'The same under the retained key, for as long as the law asks.';

-- The settings let autovacuum free the place of a deleted key within minutes, also when it is the only one.
CREATE TABLE user_keys (
  merchant_id         bigint NOT NULL,
  user_id             bigint NOT NULL,
  purpose             text NOT NULL CHECK (purpose IN ('profile', 'beneficiaries', 'retained')),
  master_key_version  integer NOT NULL REFERENCES master_keys (version),
  wrapped_key         bytea NOT NULL,
  PRIMARY KEY (merchant_id, user_id, purpose),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
CREATE INDEX user_keys_by_version ON user_keys (master_key_version);
COMMENT ON TABLE user_keys IS
  'Each user''s data keys, wrapped by the master key. To erase is to delete a row of this table.';
COMMENT ON COLUMN user_keys.purpose IS
  'What the key seals. The keys end at different times: with a change of the profile, with the user, with the retention.';

CREATE TABLE erasures (
  merchant_id          bigint NOT NULL,
  user_id              bigint NOT NULL,
  erased_at            timestamptz NOT NULL,
  retained_until       timestamptz,
  retention_ended_at   timestamptz,
  PRIMARY KEY (merchant_id, user_id),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
);
CREATE INDEX erasures_retained ON erasures (retained_until) WHERE retained_until IS NOT NULL AND retention_ended_at IS NULL;
COMMENT ON TABLE erasures IS 'When each deleted user was erased, and until when the law keeps a part.';
