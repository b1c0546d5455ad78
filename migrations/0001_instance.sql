-- What every instance has: one row that says what it is and which keys it uses.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TABLE instance (
  only_row               boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode                   text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  master_key_version     integer NOT NULL DEFAULT 1,
  master_key_check       bytea NOT NULL CHECK (octet_length(master_key_check) = 32),
  previous_key_check     bytea,
  root_key               bytea,
  group_keys_from        timestamptz NOT NULL DEFAULT '-infinity',
  must_rewrite_user_keys boolean NOT NULL DEFAULT false,
  group_keys_deleted_at  timestamptz,
  keys_shredded_at       timestamptz,
  created_at             timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE instance IS 'What this database is: its mode and the check value of its master key, stamped once.';
COMMENT ON COLUMN instance.previous_key_check IS
  'Set while some user keys are still wrapped by the previous master key.';
COMMENT ON COLUMN instance.root_key IS 'What other keys are derived from, sealed under the master key.';
COMMENT ON COLUMN instance.group_keys_from IS
  'Until then, keys of users are wrapped by the master key, so that nodes of the previous version can open them.';
COMMENT ON COLUMN instance.must_rewrite_user_keys IS
  'Keys of users were wrapped by the master key: when none is left, the table is written anew once.';
COMMENT ON COLUMN instance.group_keys_deleted_at IS 'When keys of groups were last deleted.';
COMMENT ON COLUMN instance.keys_shredded_at IS
  'When the table of group keys was last written anew; keys deleted before are not in its file.';

CREATE FUNCTION refuse_other_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.mode IS DISTINCT FROM OLD.mode THEN
    RAISE EXCEPTION 'the mode of an instance never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER instance_mode_is_stamped BEFORE UPDATE ON instance FOR EACH ROW EXECUTE FUNCTION refuse_other_mode();
CREATE TRIGGER instance_is_kept BEFORE DELETE OR TRUNCATE ON instance FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
