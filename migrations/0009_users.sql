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

CREATE TABLE group_keys (
  merchant_id         bigint NOT NULL,
  key_group           smallint NOT NULL CHECK (key_group BETWEEN 0 AND 255),
  generation          integer NOT NULL CHECK (generation > 0),
  master_key_version  integer NOT NULL,
  wrapped_key         bytea NOT NULL,
  must_be_replaced    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (merchant_id, key_group, generation)
);
CREATE INDEX group_keys_by_version ON group_keys (master_key_version);
CREATE INDEX group_keys_to_replace ON group_keys (merchant_id, key_group) WHERE must_be_replaced;
COMMENT ON TABLE group_keys IS
  'Keys that wrap the keys of a merchant''s users, themselves wrapped by the master key. A user id modulo 256 is '
  'its group.';
COMMENT ON COLUMN group_keys.must_be_replaced IS
  'A user key that this key wraps was destroyed, and its bytes may still be in the file.';

CREATE TABLE user_keys (
  merchant_id         bigint NOT NULL,
  external_client_id  text NOT NULL,
  purpose             text NOT NULL CHECK (purpose IN ('profile', 'retained', 'beneficiaries')),
  destroyed_with      text,
  key_group           smallint,
  generation          integer,
  master_key_version  integer,
  wrapped_key         bytea NOT NULL,
  PRIMARY KEY (merchant_id, external_client_id, purpose),
  FOREIGN KEY (merchant_id, external_client_id, destroyed_with)
    REFERENCES user_keys (merchant_id, external_client_id, purpose) ON DELETE CASCADE,
  FOREIGN KEY (merchant_id, key_group, generation) REFERENCES group_keys (merchant_id, key_group, generation),
  CONSTRAINT beneficiaries_key_is_destroyed_with_profile_key
    CHECK (destroyed_with IS NOT DISTINCT FROM CASE WHEN purpose = 'beneficiaries' THEN 'profile' END),
  CONSTRAINT user_key_names_its_group_key CHECK ((key_group IS NULL) = (generation IS NULL)),
  CONSTRAINT user_key_is_wrapped_once CHECK ((generation IS NULL) <> (master_key_version IS NULL))
);
CREATE INDEX user_keys_by_version ON user_keys (master_key_version);
CREATE INDEX user_keys_by_group ON user_keys (merchant_id, key_group, generation);
COMMENT ON TABLE user_keys IS
  'Each user''s data keys, wrapped by the key of a group of users. To erase is to destroy a row of this table.';
COMMENT ON COLUMN user_keys.destroyed_with IS 'The key that takes this one with it: an erasure destroys both.';
COMMENT ON COLUMN user_keys.generation IS 'Which key of the group wraps this key.';
COMMENT ON COLUMN user_keys.master_key_version IS
  'Of a key that the master key itself wraps, as before there were groups.';

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
