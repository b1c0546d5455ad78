-- What every instance has: one row that says what it is, and the master keys that it uses.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TABLE instance (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode        text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  sends_from       text,
  sending_is_held  boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE instance IS 'What this database is: its mode, stamped once, and whether it may send anything.';
COMMENT ON COLUMN instance.sends_from IS
  'The server, the database and the public address from which notifications and payments leave. A restored copy is '
  'elsewhere and sends nothing.';

CREATE FUNCTION refuse_other_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.mode IS DISTINCT FROM OLD.mode THEN
    RAISE EXCEPTION 'the mode of an instance never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER instance_mode_is_stamped BEFORE UPDATE ON instance FOR EACH ROW EXECUTE FUNCTION refuse_other_mode();
CREATE TRIGGER instance_is_kept BEFORE DELETE OR TRUNCATE ON instance FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE master_keys (
  version          integer PRIMARY KEY CHECK (version > 0),
  check_value      bytea NOT NULL CHECK (octet_length(check_value) = 32),
  sealed_root_key  bytea NOT NULL
);
COMMENT ON TABLE master_keys IS
  'The versions of the master key: the newest is active, an older one is here while the key is changed. The keys '
  'themselves are not in the database.';
COMMENT ON COLUMN master_keys.check_value IS 'Recognises the right master key, and reveals nothing about it.';
COMMENT ON COLUMN master_keys.sealed_root_key IS
  'What other keys are derived from, sealed under this version of the master key.';
