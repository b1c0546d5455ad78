-- What every command leaves behind: the answer kept for a repeated key, and the record of who did what.

CREATE TABLE idempotency_keys (
  merchant_id  bigint NOT NULL,
  scope_hash   bytea NOT NULL CHECK (octet_length(scope_hash) = 32),
  fingerprint  bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  answer       text NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, scope_hash)
);
CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at);
COMMENT ON TABLE idempotency_keys IS
  'The answer of each keyed command, committed together with its effect. No answer holds personal data.';

CREATE TABLE audit_entries (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant_id    bigint,
  actor_kind     text NOT NULL CHECK (actor_kind IN ('merchant', 'user', 'operator', 'system')),
  actor_id       text NOT NULL,
  action         text NOT NULL,
  subject        text NOT NULL,
  from_state     text,
  to_state       text,
  details        jsonb NOT NULL DEFAULT '{}',
  request_id     text,
  occurred_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  sequence       bigint UNIQUE CHECK (sequence > 0),
  previous_hash  bytea,
  hash           bytea,
  CHECK (num_nulls(sequence, previous_hash, hash) IN (0, 3))
);
CREATE INDEX audit_entries_unchained ON audit_entries (id) WHERE sequence IS NULL;
CREATE INDEX audit_entries_of_merchant ON audit_entries (merchant_id, id);
COMMENT ON TABLE audit_entries IS
  'Who did what, written with what it records; numbered and hash-chained after commit. Ids and field names, no values.';

CREATE TABLE audit_heads (
  sequence   bigint PRIMARY KEY,
  hash       bytea NOT NULL,
  signature  bytea NOT NULL,
  signed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE audit_heads IS 'The signed ends of the audit chain; the same are written outside the database.';

CREATE FUNCTION chain_audit_entry_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.sequence IS NOT NULL
     OR (to_jsonb(NEW) - '{sequence,previous_hash,hash}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{sequence,previous_hash,hash}'::text[]) THEN
    RAISE EXCEPTION 'an audit entry never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entry_is_chained_once BEFORE UPDATE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION chain_audit_entry_once();
CREATE TRIGGER audit_entries_are_kept BEFORE DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_heads_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
