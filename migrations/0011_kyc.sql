-- Who is verified: one case for each user, level and zone, what was entered and uploaded for it, and what was decided.
-- An approved level can be renewed before its approval ends. The case stays APPROVED while its renewal goes through the
-- same states as a new case does; the renewal columns say how far it has got.

CREATE TABLE kyc_cases (
  merchant_id       bigint NOT NULL,
  case_id           text NOT NULL,
  user_id           bigint NOT NULL,
  level             text NOT NULL CHECK (level IN ('LEVEL_1', 'LEVEL_2', 'LEVEL_3')),
  zone              text NOT NULL
                    CHECK (zone IN ('US', 'CA', 'GB', 'EEA', 'CH', 'EUROPE_OTHER', 'LATAM', 'MENA', 'AFRICA', 'APAC')),
  state             text NOT NULL DEFAULT 'PENDING'
                    CHECK (state IN ('PENDING', 'SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'ACTION_REQUIRED',
                                     'EXPIRED', 'REVOKED')),
  version           integer NOT NULL DEFAULT 1,
  is_final          boolean NOT NULL DEFAULT false,
  reasons           text[] NOT NULL DEFAULT '{}',
  requested_parts   text[] NOT NULL DEFAULT '{}',
  renewal_state     text
                    CHECK (renewal_state IN ('PENDING', 'SUBMITTED', 'IN_REVIEW', 'REJECTED', 'ACTION_REQUIRED')),
  renewal_version   integer,
  renewal_is_final  boolean NOT NULL DEFAULT false,
  renewal_reasons   text[] NOT NULL DEFAULT '{}',
  renewal_parts     text[] NOT NULL DEFAULT '{}',
  answers_seal      bytea,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  submitted_at      timestamptz,
  decided_at        timestamptz,
  expires_at        timestamptz,
  told_days_before  smallint,
  closed_at         timestamptz,
  PRIMARY KEY (merchant_id, case_id),
  UNIQUE (merchant_id, user_id, level, zone),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  CONSTRAINT only_rejection_is_final CHECK (NOT is_final OR state = 'REJECTED'),
  CONSTRAINT action_names_requested_parts CHECK ((state = 'ACTION_REQUIRED') = (requested_parts <> '{}')),
  CONSTRAINT approval_expires CHECK (state <> 'APPROVED' OR expires_at IS NOT NULL),
  CONSTRAINT only_approval_is_renewed CHECK (renewal_state IS NULL OR state IN ('APPROVED', 'EXPIRED')),
  CONSTRAINT renewal_has_version CHECK ((renewal_state IS NULL) = (renewal_version IS NULL)),
  CONSTRAINT only_rejected_renewal_is_final CHECK (NOT renewal_is_final OR coalesce(renewal_state = 'REJECTED', false)),
  CONSTRAINT renewal_action_names_parts
    CHECK (coalesce(renewal_state = 'ACTION_REQUIRED', false) = (renewal_parts <> '{}'))
);
CREATE INDEX kyc_cases_by_age ON kyc_cases (updated_at, case_id) WHERE closed_at IS NULL;
CREATE INDEX kyc_cases_by_state ON kyc_cases (state, updated_at, case_id) WHERE closed_at IS NULL;
CREATE INDEX kyc_cases_closed ON kyc_cases (merchant_id, case_id) WHERE closed_at IS NOT NULL;
CREATE INDEX kyc_cases_expiring ON kyc_cases (expires_at) WHERE state = 'APPROVED' AND closed_at IS NULL;
CREATE INDEX kyc_cases_by_renewal ON kyc_cases (renewal_state, updated_at, case_id)
  WHERE closed_at IS NULL AND renewal_state IS NOT NULL;
-- Everyone who is screened again when a list changes, in the order of the run.
CREATE INDEX kyc_cases_approved ON kyc_cases (merchant_id, user_id) WHERE state = 'APPROVED' AND closed_at IS NULL;
COMMENT ON TABLE kyc_cases IS
  'One for each user, level and zone. Nothing personal; all times by the merchant''s clock.';
COMMENT ON COLUMN kyc_cases.version IS 'Counts the changes of state, of the case and of its renewal.';
COMMENT ON COLUMN kyc_cases.renewal_state IS 'How far the renewal of an approval has got; null when there is none.';
COMMENT ON COLUMN kyc_cases.renewal_version IS 'The version of the case when the renewal last changed its state.';
COMMENT ON COLUMN kyc_cases.answers_seal IS
  'Proves under the user''s retained key which rows of kyc_answers are the newest: an older row put back is refused.';
COMMENT ON COLUMN kyc_cases.told_days_before IS 'The last notice that the approval runs out: so many days before.';
COMMENT ON COLUMN kyc_cases.closed_at IS 'When the user was erased: nothing of the case changes any more.';

CREATE FUNCTION keep_case_on_its_way() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER case_stays_on_its_way BEFORE INSERT OR UPDATE ON kyc_cases
  FOR EACH ROW EXECUTE FUNCTION keep_case_on_its_way();
CREATE TRIGGER cases_are_kept BEFORE DELETE OR TRUNCATE ON kyc_cases FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE kyc_notes (
  merchant_id    bigint NOT NULL,
  case_id        text NOT NULL,
  version        integer NOT NULL,
  sealed_reason  bytea NOT NULL,
  PRIMARY KEY (merchant_id, case_id, version),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id)
);
COMMENT ON TABLE kyc_notes IS
  'The internal reason of the change that gave the case this version, sealed under the user''s retained key.';
CREATE TRIGGER kyc_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON kyc_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE kyc_answers (
  merchant_id     bigint NOT NULL,
  case_id         text NOT NULL,
  step            text NOT NULL,
  case_version    integer NOT NULL,
  sealed_answers  bytea NOT NULL,
  saved_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, case_id, step),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id)
);
COMMENT ON TABLE kyc_answers IS 'What was entered last in each step, sealed under the user''s retained key.';
COMMENT ON COLUMN kyc_answers.case_version IS
  'Of the case when it was entered: what is asked for again must be entered again.';

CREATE TABLE kyc_documents (
  merchant_id   bigint NOT NULL,
  case_id       text NOT NULL,
  document_id   text NOT NULL,
  question      text NOT NULL,
  media_type    text NOT NULL CHECK (media_type IN ('image/jpeg', 'image/png', 'application/pdf')),
  bytes         integer NOT NULL CHECK (bytes > 0),
  chunks        integer NOT NULL CHECK (chunks > 0),
  kept_in       text NOT NULL CHECK (kept_in IN ('database', 'files')),
  seal          bytea NOT NULL,
  stored_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  submitted_at  timestamptz,
  PRIMARY KEY (merchant_id, case_id, document_id),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id)
);
CREATE INDEX kyc_documents_in_files ON kyc_documents (document_id) WHERE kept_in = 'files';
COMMENT ON TABLE kyc_documents IS
  'What was uploaded, sealed in chunks under the user''s retained key: in kyc_document_chunks, or in a file of that '
  'id.';
COMMENT ON COLUMN kyc_documents.seal IS
  'Proves under the user''s retained key that user, question, media type and length are those of the upload.';
COMMENT ON COLUMN kyc_documents.submitted_at IS
  'When it became part of what a decision rests on; from then on it is not replaced, only followed by another.';

CREATE TABLE kyc_document_chunks (
  merchant_id   bigint NOT NULL,
  case_id       text NOT NULL,
  document_id   text NOT NULL,
  chunk_no      integer NOT NULL CHECK (chunk_no >= 0),
  sealed_chunk  bytea NOT NULL,
  PRIMARY KEY (merchant_id, case_id, document_id, chunk_no),
  FOREIGN KEY (merchant_id, case_id, document_id)
    REFERENCES kyc_documents (merchant_id, case_id, document_id) ON DELETE CASCADE
);
ALTER TABLE kyc_document_chunks ALTER COLUMN sealed_chunk SET STORAGE EXTERNAL;
COMMENT ON TABLE kyc_document_chunks IS
  'The sealed chunks of documents that are kept in the database. Ciphertext does not compress, so nobody tries.';

CREATE TABLE kyc_attachments (
  merchant_id   bigint NOT NULL,
  case_id       text NOT NULL,
  question      text NOT NULL,
  document_id   text NOT NULL,
  case_version  integer NOT NULL,
  PRIMARY KEY (merchant_id, case_id, question),
  FOREIGN KEY (merchant_id, case_id, document_id) REFERENCES kyc_documents (merchant_id, case_id, document_id)
);
COMMENT ON TABLE kyc_attachments IS 'Which document answers a question now.';

CREATE TABLE kyc_submissions (
  merchant_id      bigint NOT NULL,
  case_id          text NOT NULL,
  version          integer NOT NULL,
  sealed_answers   bytea NOT NULL,
  document_ids     text[] NOT NULL,
  checks           jsonb NOT NULL,
  consent_version  text NOT NULL,
  locale           text NOT NULL,
  submitted_at     timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, case_id, version),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id)
);
COMMENT ON TABLE kyc_submissions IS
  'What was submitted each time, sealed under the user''s retained key, and what the automatic checks said of it.';
COMMENT ON COLUMN kyc_submissions.checks IS
  'Names and outcomes, and ids of other cases; no value that a person entered.';

CREATE TABLE exposure_acceptances (
  merchant_id  bigint NOT NULL,
  user_id      bigint NOT NULL,
  number       integer NOT NULL CHECK (number > 0),
  sealed_note  bytea NOT NULL,
  accepted_by  bigint NOT NULL,
  accepted_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  review_by    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id, number),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  CONSTRAINT accepted_for_a_while CHECK (review_by > accepted_at)
);
COMMENT ON TABLE exposure_acceptances IS
  'That management serves a politically exposed user, and why, sealed under the retained key of the user. The newest counts.';

CREATE TABLE kyc_persons (
  merchant_id  bigint NOT NULL,
  case_id      text NOT NULL,
  user_id      bigint NOT NULL,
  person_hash  bytea NOT NULL CHECK (octet_length(person_hash) = 32),
  PRIMARY KEY (merchant_id, case_id),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id)
);
CREATE INDEX kyc_persons_by_hash ON kyc_persons (merchant_id, person_hash);
COMMENT ON TABLE kyc_persons IS
  'A keyed hash of the name and birth date that were submitted, to find the same person under another user.';

CREATE TABLE kyc_capabilities (
  merchant_id   bigint NOT NULL,
  token_hash    bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  purpose       text NOT NULL CHECK (purpose IN ('write', 'status')),
  case_id       text NOT NULL,
  user_id       bigint NOT NULL,
  locale        text,
  redirect_url  text,
  is_blank      boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at    timestamptz NOT NULL,
  ends_at       timestamptz NOT NULL,
  consumed_at   timestamptz,
  PRIMARY KEY (merchant_id, token_hash),
  FOREIGN KEY (merchant_id, case_id) REFERENCES kyc_cases (merchant_id, case_id),
  CONSTRAINT capability_expires_before_it_ends CHECK (expires_at <= ends_at)
);
CREATE INDEX kyc_capabilities_of_case ON kyc_capabilities (merchant_id, case_id);
CREATE INDEX kyc_capabilities_of_user ON kyc_capabilities (merchant_id, user_id);
CREATE INDEX kyc_capabilities_expired ON kyc_capabilities (expires_at);
COMMENT ON TABLE kyc_capabilities IS
  'SHA-256 of each link that was given out: to write in a case, or to see its status. Real time.';
COMMENT ON COLUMN kyc_capabilities.is_blank IS
  'Shows nothing that was entered before the last request: it was made by a link that may have been kept or passed on.';
COMMENT ON COLUMN kyc_capabilities.ends_at IS 'However much it is used, it does not live longer than this.';
