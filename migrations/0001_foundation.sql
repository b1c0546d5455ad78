-- What every instance has: one row that says what it is, and the clocks that sandbox merchants may move.

CREATE TABLE instance (
  only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode              text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  master_key_check  bytea NOT NULL CHECK (octet_length(master_key_check) = 32),
  created_at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE instance IS 'What this database is: its mode and the check value of its master key, stamped once.';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION refuse_other_mode() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.mode IS DISTINCT FROM OLD.mode THEN
    RAISE EXCEPTION 'the mode of an instance never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER instance_mode_is_stamped BEFORE UPDATE ON instance FOR EACH ROW EXECUTE FUNCTION refuse_other_mode();
CREATE TRIGGER instance_is_kept BEFORE DELETE OR TRUNCATE ON instance FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE merchant_clocks (
  merchant_id  bigint PRIMARY KEY,
  ahead        interval NOT NULL DEFAULT '0' CHECK (ahead >= interval '0')
);
COMMENT ON TABLE merchant_clocks IS 'How far a sandbox merchant has moved its clock forward; no row means not at all.';

CREATE FUNCTION keep_clock_honest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ahead < OLD.ahead THEN
    RAISE EXCEPTION 'a merchant clock only moves forward' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.ahead > interval '0' AND (SELECT mode FROM instance) IS DISTINCT FROM 'sandbox' THEN
    RAISE EXCEPTION 'a merchant clock moves in the sandbox only' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER merchant_clock_is_honest BEFORE INSERT OR UPDATE ON merchant_clocks
  FOR EACH ROW EXECUTE FUNCTION keep_clock_honest();

CREATE FUNCTION remesa_now(merchant bigint) RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL RESTRICTED AS $$
  SELECT clock_timestamp() + coalesce((SELECT ahead FROM merchant_clocks WHERE merchant_id = merchant), interval '0')
$$;
COMMENT ON FUNCTION remesa_now(bigint) IS 'The time by which everything of a merchant is judged valid, due or expired.';
