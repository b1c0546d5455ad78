-- The last accepted mid-market rate of each corridor, against which every later one is compared.

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
  held_at            timestamptz,
  PRIMARY KEY (fiat_in, fiat_out),
  FOREIGN KEY (fiat_in, fiat_out) REFERENCES corridors ON DELETE CASCADE,
  CHECK (num_nulls(held_numerator, held_denominator, held_source, held_published_at, held_at) IN (0, 5))
);
COMMENT ON TABLE corridor_rates IS 'The last accepted rate of each corridor as an exact fraction, and the one held back because it jumped from it.';

-- The first figure of a source can be held too: there is no earlier one of that source.
ALTER TABLE rate_quarantine ALTER COLUMN previous_rate DROP NOT NULL;

-- For the sweep of the history: the old rows, and whether a newer one exists.
CREATE INDEX rate_history_recorded ON rate_history (recorded_at);
CREATE INDEX rate_history_newest ON rate_history (source, currency, id);
