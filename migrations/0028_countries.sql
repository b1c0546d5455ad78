-- Policies of countries that operators have decided. Everything else follows the lists of the program.

CREATE TABLE country_policies (
  country      text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
  residence    text NOT NULL CHECK (residence IN ('allowed', 'enhanced', 'prohibited')),
  nationality  text NOT NULL CHECK (nationality IN ('allowed', 'enhanced', 'prohibited')),
  payout       text NOT NULL CHECK (payout IN ('allowed', 'enhanced', 'prohibited')),
  answers      text[] NOT NULL,
  reason       text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
  version      integer NOT NULL DEFAULT 1 CHECK (version > 0),
  updated_at   timestamptz NOT NULL DEFAULT statement_timestamp()
);
COMMENT ON TABLE country_policies IS
  'What operators have decided about a country instead of src/countries/lists.ts. Every machine of a cluster has this '
  'table in full. Policies are changed, never deleted.';
COMMENT ON COLUMN country_policies.answers IS 'What senders must state in an order to that country.';
CREATE TRIGGER country_policies_are_kept BEFORE DELETE OR TRUNCATE ON country_policies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
