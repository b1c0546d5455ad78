-- What a transfer costs: corridors that the operator edits, rates from their sources, quotes given to merchants.

CREATE TABLE corridors (
  fiat_in                 text NOT NULL CHECK (fiat_in ~ '^[A-Z]{3}$'),
  fiat_out                text NOT NULL CHECK (fiat_out ~ '^[A-Z]{3}$'),
  is_open                 boolean NOT NULL,
  min_in_minor            bigint NOT NULL CHECK (min_in_minor > 0),
  max_in_minor            bigint NOT NULL,
  min_out_minor           bigint NOT NULL CHECK (min_out_minor > 0),
  margin_basis_points     integer NOT NULL CHECK (margin_basis_points BETWEEN 0 AND 5000),
  fee_fixed_minor         bigint NOT NULL CHECK (fee_fixed_minor >= 0),
  fee_basis_points        integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 5000),
  quote_lifetime_seconds  integer NOT NULL CHECK (quote_lifetime_seconds BETWEEN 30 AND 86400),
  kyc_bands               jsonb NOT NULL,
  payout_methods          text[] NOT NULL,
  -- Which rates are believed without a person.
  rate_tolerance_basis_points integer NOT NULL CHECK (rate_tolerance_basis_points BETWEEN 10 AND 2000),
  rate_max_age_hours      integer NOT NULL CHECK (rate_max_age_hours BETWEEN 1 AND 8760),
  on_hold                 text NOT NULL CHECK (on_hold IN ('close', 'quote')),
  -- How long an unpaid order binds us, and what it counts for.
  rate_guarantee_hours    integer NOT NULL CHECK (rate_guarantee_hours BETWEEN 1 AND 168),
  payment_due_hours       integer NOT NULL CHECK (payment_due_hours BETWEEN 1 AND 720),
  max_unpaid_orders       integer NOT NULL CHECK (max_unpaid_orders BETWEEN 1 AND 10),
  counts_unpaid_orders    boolean NOT NULL,
  version                 integer NOT NULL DEFAULT 1,
  updated_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (fiat_in, fiat_out),
  CONSTRAINT corridor_changes_currency CHECK (fiat_in <> fiat_out),
  CONSTRAINT corridor_limits_are_ordered CHECK (max_in_minor >= min_in_minor),
  CONSTRAINT corridor_guarantee_ends_before_payment_is_due CHECK (rate_guarantee_hours <= payment_due_hours)
);
COMMENT ON TABLE corridors IS
  'From which currency to which, at what price and within which limits. A quote keeps what it was made of.';

CREATE TABLE rate_sources (
  source          text PRIMARY KEY,
  due_at          timestamptz NOT NULL DEFAULT '-infinity',
  etag            text,
  last_modified   text,
  checked_at      timestamptz,
  changed_at      timestamptz,
  fault           text,
  failing_since   timestamptz,
  CONSTRAINT failing_source_has_fault CHECK ((fault IS NULL) = (failing_since IS NULL))
);
COMMENT ON TABLE rate_sources IS 'When each source is asked next, and what came of it the last time.';

CREATE TABLE current_rates (
  source        text NOT NULL,
  currency      text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  base          text NOT NULL CHECK (base ~ '^[A-Z]{3}$'),
  rate          numeric NOT NULL CHECK (rate > 0),
  published_at  timestamptz NOT NULL,
  PRIMARY KEY (source, currency)
);
COMMENT ON TABLE current_rates IS
  'The last good rate of each currency from each source: one base is so many of the currency.';

CREATE TABLE rate_history (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source        text NOT NULL,
  currency      text NOT NULL,
  base          text NOT NULL,
  rate          numeric NOT NULL,
  published_at  timestamptz NOT NULL,
  recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX rate_history_of_currency ON rate_history (currency, published_at);
-- For the sweep of the history: the old rows, and whether a newer one exists.
CREATE INDEX rate_history_recorded ON rate_history (recorded_at);
CREATE INDEX rate_history_newest ON rate_history (source, currency, id);
-- For GET /rates/history: what a source last said before a time.
CREATE INDEX rate_history_in_force ON rate_history (source, currency, recorded_at);
COMMENT ON TABLE rate_history IS 'Every rate that was ever current.';

CREATE TABLE rate_quarantine (
  source         text NOT NULL,
  currency       text NOT NULL,
  base           text NOT NULL,
  rate           numeric NOT NULL,
  previous_rate  numeric,
  published_at   timestamptz NOT NULL,
  held_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source, currency)
);
COMMENT ON TABLE rate_quarantine IS 'Rates that jumped too far to be believed; the operator accepts or refuses them.';

CREATE TABLE corridor_rates (
  fiat_in            text NOT NULL,
  fiat_out           text NOT NULL,
  numerator          numeric NOT NULL CHECK (numerator > 0),
  denominator        numeric NOT NULL CHECK (denominator > 0),
  source             text NOT NULL,
  published_at       timestamptz NOT NULL,
  held_numerator     numeric CHECK (held_numerator > 0),
  held_denominator   numeric CHECK (held_denominator > 0),
  held_source        text,
  held_published_at  timestamptz,
  held_because       text CHECK (held_because IN ('changed', 'sources_differ')),
  held_at            timestamptz,
  PRIMARY KEY (fiat_in, fiat_out),
  FOREIGN KEY (fiat_in, fiat_out) REFERENCES corridors ON DELETE CASCADE,
  CONSTRAINT held_rate_is_whole CHECK (num_nulls(held_numerator, held_denominator, held_source, held_published_at,
                                                 held_because, held_at) IN (0, 6))
);
COMMENT ON COLUMN corridor_rates.held_because IS
  'changed: the preferred rate is too far from the accepted one. sources_differ: the rate of another source is.';
COMMENT ON TABLE corridor_rates IS
  'The last accepted rate of each corridor as an exact fraction, and the one held back because it jumped from it.';

CREATE TABLE quotes (
  merchant_id        bigint NOT NULL REFERENCES merchants (merchant_id),
  code               text NOT NULL,
  user_id            bigint,
  fiat_in            text NOT NULL,
  fiat_out           text NOT NULL,
  amount_in_minor    bigint NOT NULL CHECK (amount_in_minor > 0),
  amount_out_minor   bigint NOT NULL CHECK (amount_out_minor > 0),
  rate               numeric NOT NULL CHECK (rate > 0),
  mid_rate           numeric NOT NULL CHECK (mid_rate > 0),
  rate_source        text NOT NULL,
  rate_published_at  timestamptz NOT NULL,
  margin_basis_points integer NOT NULL,
  fee_minor          bigint NOT NULL CHECK (fee_minor >= 0),
  created_at         timestamptz NOT NULL,
  expires_at         timestamptz NOT NULL,
  taken_at           timestamptz,
  taken_by           text,
  PRIMARY KEY (merchant_id, code),
  CONSTRAINT quote_is_taken_by_someone CHECK ((taken_at IS NULL) = (taken_by IS NULL))
);
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE taken_at IS NULL;
COMMENT ON TABLE quotes IS 'Each price that was given, and what it was made of. Taken at most once.';

CREATE FUNCTION keep_quote_as_given() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.taken_at IS NOT NULL
     OR (to_jsonb(NEW) - '{taken_at,taken_by}'::text[]) IS DISTINCT FROM (to_jsonb(OLD) - '{taken_at,taken_by}'::text[]) THEN
    RAISE EXCEPTION 'a quote is taken once and otherwise never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER quote_stays_as_given BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION keep_quote_as_given();
