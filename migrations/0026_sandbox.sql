-- The sandbox: a merchant's clock that stands still while it is moved, and runs of scenarios.

ALTER TABLE merchant_clocks
  ADD COLUMN stands_at    timestamptz,
  ADD COLUMN moved_by     text,
  ADD COLUMN moved_until  timestamptz,
  ADD CHECK ((moved_by IS NULL) = (moved_until IS NULL));
COMMENT ON COLUMN merchant_clocks.stands_at IS 'While the clock is moved it stands at this time, so that what falls due is stamped with its own due time. Never later than the running time, which is real time plus ahead. Null: the clock runs.';
COMMENT ON COLUMN merchant_clocks.moved_by IS 'Who moves the clock now. Only one at a time does.';
COMMENT ON COLUMN merchant_clocks.moved_until IS 'When the one who moves the clock is given up, in real time. A clock that was given up runs again.';

CREATE OR REPLACE FUNCTION remesa_now(merchant bigint) RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL RESTRICTED AS $$
  SELECT least(clock_timestamp() + coalesce((SELECT ahead FROM merchant_clocks WHERE merchant_id = merchant), interval '0'),
               (SELECT stands_at FROM merchant_clocks WHERE merchant_id = merchant))
$$;
