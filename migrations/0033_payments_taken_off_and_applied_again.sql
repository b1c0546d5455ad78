-- An operator may take a payment off its order and find out later that it was for this order after all. The payment counts
-- again: its payer is checked, and a refund goes to who paid it.
ALTER TABLE payment_applications ADD COLUMN reapplied_at timestamptz CHECK (reapplied_at IS NULL OR outcome = 'applied');
COMMENT ON COLUMN payment_applications.reapplied_at IS
  'When the order took the payment again after it had been taken off, by the merchant''s clock.';

CREATE OR REPLACE FUNCTION keep_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'sealed_payer' - 'reapplied_at') IS DISTINCT FROM (to_jsonb(OLD) - 'sealed_payer' - 'reapplied_at')
     OR (NEW.sealed_payer IS DISTINCT FROM OLD.sealed_payer AND NEW.sealed_payer IS NOT NULL)
     OR (NEW.reapplied_at IS DISTINCT FROM OLD.reapplied_at AND OLD.reapplied_at IS NOT NULL) THEN
    RAISE EXCEPTION 'an application never changes, but for a copy of the payer that is removed and a payment that is applied again'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
