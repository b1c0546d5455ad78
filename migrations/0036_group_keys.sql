-- Keys of users are wrapped by the key of a group of users. Replacing the key of a group destroys for good what was deleted
-- under it, without writing the whole table of user keys anew.

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
COMMENT ON TABLE group_keys IS 'Keys that wrap the keys of a merchant''s users, themselves wrapped by the master key. A user id modulo 256 is its group.';
COMMENT ON COLUMN group_keys.must_be_replaced IS 'A user key that this key wraps was destroyed, and its bytes may still be in the file.';

ALTER TABLE user_keys
  ALTER COLUMN master_key_version DROP NOT NULL,
  ADD COLUMN key_group smallint,
  ADD COLUMN generation integer,
  ADD CHECK ((key_group IS NULL) = (generation IS NULL)),
  ADD CHECK ((generation IS NULL) <> (master_key_version IS NULL)),
  ADD FOREIGN KEY (merchant_id, key_group, generation) REFERENCES group_keys (merchant_id, key_group, generation);
CREATE INDEX user_keys_by_group ON user_keys (merchant_id, key_group, generation);
COMMENT ON TABLE user_keys IS 'Each user''s data keys, wrapped by the key of a group of users. To erase is to destroy a row of this table.';
COMMENT ON COLUMN user_keys.master_key_version IS 'Of a key that the master key itself wraps, as before there were groups.';
COMMENT ON COLUMN user_keys.generation IS 'Which key of the group wraps this key.';

ALTER TABLE instance
  ADD COLUMN group_keys_from timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN must_rewrite_user_keys boolean NOT NULL DEFAULT false,
  ADD COLUMN group_keys_deleted_at timestamptz;
COMMENT ON COLUMN instance.group_keys_from IS 'Until then, keys of users are wrapped by the master key, so that nodes of the previous version can open them.';
COMMENT ON COLUMN instance.must_rewrite_user_keys IS 'Keys of users were wrapped by the master key: when none is left, the table is written anew once.';
COMMENT ON COLUMN instance.group_keys_deleted_at IS 'When keys of groups were last deleted.';
COMMENT ON COLUMN instance.keys_shredded_at IS 'When the table of group keys was last written anew; keys deleted before are not in its file.';
UPDATE instance SET group_keys_from = now() + interval '1 day', must_rewrite_user_keys = true;
