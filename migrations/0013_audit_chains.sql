-- One audit chain per merchant. Until here one chain covered all merchants. It ends now, and the chain of each merchant
-- continues from its end. Merchant 0 is the instance: operators, corridors, signing keys.

LOCK TABLE audit_entries, audit_heads IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER audit_entry_is_chained_once ON audit_entries;
DROP INDEX audit_entries_unchained;
DROP INDEX audit_entries_of_merchant;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_check;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_sequence_check;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_sequence_key;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_pkey;

ALTER TABLE audit_entries ADD COLUMN of_former_chain boolean NOT NULL DEFAULT true;
ALTER TABLE audit_entries ALTER COLUMN of_former_chain SET DEFAULT false;
UPDATE audit_entries SET merchant_id = 0 WHERE merchant_id IS NULL;
-- A node of the previous version chains entries without a number. It finds none, because they have the number 0 now.
UPDATE audit_entries SET sequence = 0, of_former_chain = false WHERE sequence IS NULL;

ALTER TABLE audit_entries ALTER COLUMN merchant_id SET NOT NULL;
ALTER TABLE audit_entries ALTER COLUMN sequence SET DEFAULT 0;
ALTER TABLE audit_entries ALTER COLUMN sequence SET NOT NULL;
ALTER TABLE audit_entries ADD PRIMARY KEY (merchant_id, id);
ALTER TABLE audit_entries ADD CHECK (sequence >= 0);
ALTER TABLE audit_entries ADD CHECK (num_nulls(previous_hash, hash) = CASE WHEN sequence = 0 THEN 2 ELSE 0 END);
CREATE UNIQUE INDEX audit_entries_sequence ON audit_entries (merchant_id, sequence) WHERE sequence > 0;
CREATE INDEX audit_entries_unchained ON audit_entries (merchant_id, id) WHERE sequence = 0;
CREATE INDEX audit_entries_of_former_chain ON audit_entries (sequence) WHERE of_former_chain;
CREATE INDEX audit_entries_by_id ON audit_entries (id);
COMMENT ON COLUMN audit_entries.merchant_id IS 'The merchant whose chain the entry belongs to; 0 is the instance.';
COMMENT ON COLUMN audit_entries.sequence IS 'The number in the chain, without gaps; 0 until the entry is chained.';
COMMENT ON COLUMN audit_entries.of_former_chain IS
  'True for entries that were chained while one chain covered all merchants.';

CREATE OR REPLACE FUNCTION chain_audit_entry_once() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Nodes of the previous version record actions of the instance without a merchant.
CREATE FUNCTION assign_audit_entry_to_instance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.merchant_id := 0;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entry_has_merchant BEFORE INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.merchant_id IS NULL) EXECUTE FUNCTION assign_audit_entry_to_instance();

CREATE TABLE audit_chains (
  merchant_id      bigint PRIMARY KEY CHECK (merchant_id >= 0),
  sequence         bigint NOT NULL,
  hash             bytea NOT NULL,
  signed_sequence  bigint NOT NULL,
  CHECK (signed_sequence <= sequence)
);
CREATE INDEX audit_chains_unsigned ON audit_chains (merchant_id) WHERE signed_sequence < sequence;
COMMENT ON TABLE audit_chains IS
  'The end of each merchant''s audit chain, and how far a signed head covers it. Its row is locked while entries are chained.';

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

CREATE TRIGGER audit_heads_are_closed BEFORE INSERT ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE audit_heads IS
  'The signed ends of the chain that covered all merchants. Closed: the last one is where the chains of merchants begin.';
