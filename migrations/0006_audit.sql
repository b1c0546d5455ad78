-- Who did what: entries in one chain for each merchant, and signed heads that cover all chains.

CREATE TABLE audit_entries (
  merchant_id      bigint NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  actor_kind       text NOT NULL CHECK (actor_kind IN ('merchant', 'user', 'operator', 'system')),
  actor_id         text NOT NULL,
  action           text NOT NULL,
  subject          text NOT NULL,
  from_state       text,
  to_state         text,
  details          jsonb NOT NULL DEFAULT '{}',
  request_id       text,
  occurred_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  sequence         bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
  previous_hash    bytea,
  hash             bytea,
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT audit_entry_is_chained_whole
    CHECK (num_nulls(previous_hash, hash) = CASE WHEN sequence = 0 THEN 2 ELSE 0 END)
);
CREATE INDEX audit_entries_of_subject ON audit_entries (subject, id);
CREATE INDEX audit_entries_of_action ON audit_entries (action, id);
CREATE INDEX audit_entries_of_actor ON audit_entries (actor_kind, actor_id, id);
CREATE INDEX audit_entries_by_time ON audit_entries USING brin (occurred_at);
CREATE UNIQUE INDEX audit_entries_sequence ON audit_entries (merchant_id, sequence) WHERE sequence > 0;
CREATE INDEX audit_entries_unchained ON audit_entries (merchant_id, id) WHERE sequence = 0;
CREATE INDEX audit_entries_by_id ON audit_entries (id);
COMMENT ON TABLE audit_entries IS
  'Who did what, written with what it records; numbered and hash-chained after commit. Ids and field names, no values.';
COMMENT ON COLUMN audit_entries.merchant_id IS 'The merchant whose chain the entry belongs to; 0 is the instance.';
COMMENT ON COLUMN audit_entries.sequence IS 'The number in the chain, without gaps; 0 until the entry is chained.';
CREATE TRIGGER audit_entries_are_kept BEFORE DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION chain_audit_entry_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.sequence <> 0
     OR (to_jsonb(NEW) - '{sequence,previous_hash,hash}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{sequence,previous_hash,hash}'::text[]) THEN
    RAISE EXCEPTION 'an audit entry never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entry_is_chained_once BEFORE UPDATE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION chain_audit_entry_once();

CREATE TABLE audit_chains (
  merchant_id      bigint PRIMARY KEY CHECK (merchant_id >= 0),
  sequence         bigint NOT NULL,
  hash             bytea NOT NULL,
  signed_sequence  bigint NOT NULL,
  CONSTRAINT signed_head_is_within_chain CHECK (signed_sequence <= sequence)
);
CREATE INDEX audit_chains_unsigned ON audit_chains (merchant_id) WHERE signed_sequence < sequence;
COMMENT ON TABLE audit_chains IS
  'The end of each merchant''s audit chain, and how far a signed head covers it. Its row is locked while entries '
  'are chained.';

CREATE TABLE audit_signed_heads (
  number         bigint PRIMARY KEY CHECK (number > 0),
  previous_hash  bytea NOT NULL,
  ends           jsonb NOT NULL,
  signed_at      timestamptz NOT NULL,
  hash           bytea NOT NULL,
  signature      bytea NOT NULL
);
COMMENT ON TABLE audit_signed_heads IS
  'Signed heads: each lists the chains that grew, as [merchant, sequence, hash], and covers the head before it.';
CREATE TRIGGER audit_signed_heads_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_signed_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
