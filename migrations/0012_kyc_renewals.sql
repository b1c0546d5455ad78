-- A level can be renewed before its approval ends. The case stays APPROVED while its renewal goes through the same states
-- as a new case does; the columns say how far it has got.

ALTER TABLE kyc_cases
  ADD COLUMN renewal_state     text
    CHECK (renewal_state IN ('PENDING', 'SUBMITTED', 'IN_REVIEW', 'REJECTED', 'ACTION_REQUIRED')),
  ADD COLUMN renewal_version   integer,
  ADD COLUMN renewal_is_final  boolean NOT NULL DEFAULT false,
  ADD COLUMN renewal_reasons   text[] NOT NULL DEFAULT '{}',
  ADD COLUMN renewal_parts     text[] NOT NULL DEFAULT '{}',
  ADD CHECK (renewal_state IS NULL OR state IN ('APPROVED', 'EXPIRED')),
  ADD CHECK ((renewal_state IS NULL) = (renewal_version IS NULL)),
  ADD CHECK (NOT renewal_is_final OR coalesce(renewal_state = 'REJECTED', false)),
  ADD CHECK (coalesce(renewal_state = 'ACTION_REQUIRED', false) = (renewal_parts <> '{}'));
CREATE INDEX kyc_cases_by_renewal ON kyc_cases (renewal_state, updated_at, case_id)
  WHERE closed_at IS NULL AND renewal_state IS NOT NULL;
COMMENT ON COLUMN kyc_cases.version IS 'Counts the changes of state, of the case and of its renewal.';
COMMENT ON COLUMN kyc_cases.renewal_state IS 'How far the renewal of an approval has got; null when there is none.';
COMMENT ON COLUMN kyc_cases.renewal_version IS 'The version of the case when the renewal last changed its state.';

ALTER TABLE kyc_history ADD COLUMN is_renewal boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN kyc_history.is_renewal IS 'Whether the states are those of the renewal, beside the state of the case.';

CREATE OR REPLACE FUNCTION keep_case_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_renewed boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'PENDING' OR NEW.version <> 1 THEN
      RAISE EXCEPTION 'a case begins as PENDING' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.case_id, NEW.user_id, NEW.level, NEW.zone, NEW.created_at)
     IS DISTINCT FROM (OLD.merchant_id, OLD.case_id, OLD.user_id, OLD.level, OLD.zone, OLD.created_at) THEN
    RAISE EXCEPTION 'what a case is about never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  -- A renewal ends with its approval. Nodes of the previous version do not know the columns.
  IF NEW.state NOT IN ('APPROVED', 'EXPIRED') THEN
    NEW.renewal_state := NULL;
    NEW.renewal_version := NULL;
    NEW.renewal_is_final := false;
    NEW.renewal_reasons := '{}';
    NEW.renewal_parts := '{}';
  END IF;
  IF NEW.state = OLD.state AND NEW.renewal_state IS NOT DISTINCT FROM OLD.renewal_state THEN
    IF NEW.version <> OLD.version THEN
      RAISE EXCEPTION 'the version of a case counts its changes of state' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  is_renewed := coalesce(OLD.renewal_state IN ('SUBMITTED', 'IN_REVIEW'), false)
                AND NEW.state = 'APPROVED' AND NEW.renewal_state IS NULL;
  IF OLD.closed_at IS NOT NULL OR NEW.version <> OLD.version + 1
     OR (OLD.state = 'REJECTED' AND OLD.is_final)
     OR (OLD.renewal_is_final AND NEW.state = 'PENDING')
     OR NOT is_renewed AND NEW.state <> OLD.state AND OLD.state || '>' || NEW.state NOT IN (
       'PENDING>SUBMITTED', 'ACTION_REQUIRED>SUBMITTED', 'SUBMITTED>APPROVED', 'SUBMITTED>IN_REVIEW',
       'IN_REVIEW>APPROVED', 'IN_REVIEW>REJECTED', 'IN_REVIEW>ACTION_REQUIRED', 'APPROVED>ACTION_REQUIRED',
       'APPROVED>EXPIRED', 'APPROVED>REVOKED', 'REJECTED>PENDING', 'EXPIRED>PENDING') THEN
    RAISE EXCEPTION 'a case does not go from % to % here', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
  END IF;
  IF NOT is_renewed AND NEW.renewal_state IS DISTINCT FROM OLD.renewal_state
     AND NEW.state IN ('APPROVED', 'EXPIRED')
     AND (NEW.state <> OLD.state OR NEW.renewal_state IS NULL OR OLD.renewal_is_final
          OR (OLD.renewal_state IS NULL AND OLD.state <> 'APPROVED')
          OR coalesce(OLD.renewal_state, '') || '>' || NEW.renewal_state NOT IN (
            '>PENDING', 'PENDING>SUBMITTED', 'ACTION_REQUIRED>SUBMITTED', 'SUBMITTED>IN_REVIEW',
            'IN_REVIEW>REJECTED', 'IN_REVIEW>ACTION_REQUIRED', 'REJECTED>PENDING')) THEN
    RAISE EXCEPTION 'a renewal does not go from % to % here', OLD.renewal_state, NEW.renewal_state
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
