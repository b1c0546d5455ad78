-- Who holds the licence under which this instance moves money: one record.

CREATE TABLE licensee (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  terms       jsonb NOT NULL CHECK (jsonb_typeof(terms) = 'object'),
  version     integer NOT NULL DEFAULT 1 CHECK (version > 0),
  updated_at  timestamptz NOT NULL DEFAULT statement_timestamp()
);
COMMENT ON TABLE licensee IS
  'The licensee as forms, receipts and disclosures name it. Without this row a live instance takes no orders. Every '
  'machine of a cluster has this table.';
COMMENT ON COLUMN licensee.terms IS 'Names, addresses and numbers, in the shape of src/licensee/schemas.ts.';
CREATE TRIGGER licensee_is_kept BEFORE DELETE OR TRUNCATE ON licensee
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
