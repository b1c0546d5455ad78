-- The people who send money, and the keys without which nothing of them can be read.

ALTER TABLE instance
  ADD COLUMN master_key_version integer NOT NULL DEFAULT 1,
  ADD COLUMN previous_key_check bytea,
  ADD COLUMN root_key bytea,
  ADD COLUMN keys_shredded_at timestamptz;
COMMENT ON COLUMN instance.root_key IS 'What other keys are derived from, sealed under the master key.';
COMMENT ON COLUMN instance.keys_shredded_at IS 'When the table of user keys was last written anew; older erasures have left nothing in it.';
COMMENT ON COLUMN instance.previous_key_check IS 'Set while some user keys are still wrapped by the master key before.';

CREATE TABLE users (
  merchant_id         bigint NOT NULL REFERENCES merchants (merchant_id),
  user_id             bigint GENERATED ALWAYS AS IDENTITY,
  external_client_id  text NOT NULL,
  status              text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  profile             bytea,
  retained_profile    bytea,
  created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, user_id),
  UNIQUE (merchant_id, external_client_id),
  CHECK ((status = 'active') = (profile IS NOT NULL)),
  CHECK (status = 'deleted' OR retained_profile IS NULL)
);
CREATE UNIQUE INDEX users_active ON users (merchant_id, user_id) INCLUDE (external_client_id) WHERE status = 'active';
COMMENT ON TABLE users IS 'Who sends. Nothing personal is here in clear; a deleted user stays as a number.';
COMMENT ON COLUMN users.profile IS 'The eight fields, sealed under the user''s profile key.';
COMMENT ON COLUMN users.retained_profile IS 'The same under the retained key, for as long as the law asks.';

CREATE TABLE user_keys (
  merchant_id         bigint NOT NULL,
  external_client_id  text NOT NULL,
  purpose             text NOT NULL CHECK (purpose IN ('profile', 'retained')),
  master_key_version  integer NOT NULL,
  wrapped_key         bytea NOT NULL,
  PRIMARY KEY (merchant_id, external_client_id, purpose)
);
CREATE INDEX user_keys_by_version ON user_keys (master_key_version);
COMMENT ON TABLE user_keys IS 'Each user''s data keys, wrapped by the master key. To erase is to destroy a row of this table.';

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
