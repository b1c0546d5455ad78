-- Sealed values are bound to their owner, place and version; user ids no longer count users.
-- Rows from before are sealed anew at the next start, a batch at a time: `sealing` says how a row is sealed.

ALTER TABLE instance ADD COLUMN sealing smallint NOT NULL DEFAULT 1 CHECK (sealing IN (1, 2));
ALTER TABLE instance ALTER COLUMN sealing SET DEFAULT 2;
COMMENT ON COLUMN instance.sealing IS
  'How values are sealed here: 1 until everything was sealed anew, then 2 for good. The sealed root key is bound to it.';

-- Without a default the id must be given, so a node of an older version cannot add a user that is sealed the old way.
ALTER TABLE users ALTER COLUMN user_id DROP IDENTITY;
ALTER TABLE users ADD COLUMN sealing smallint NOT NULL DEFAULT 1 CHECK (sealing IN (1, 2));
CREATE INDEX users_sealed_before ON users (merchant_id, user_id) WHERE sealing = 1;
COMMENT ON COLUMN users.user_id IS 'Milliseconds since 2025 and 12 random bits. It tells nothing about other users.';
COMMENT ON COLUMN users.sealing IS 'How the profile and the keys of the user are sealed; 1 is sealed anew at the next start.';

ALTER TABLE kyc_cases
  ADD COLUMN sealing smallint NOT NULL DEFAULT 1 CHECK (sealing IN (1, 2)),
  ADD COLUMN answers_seal bytea;
CREATE INDEX kyc_cases_sealed_before ON kyc_cases (merchant_id, case_id) WHERE sealing = 1;
COMMENT ON COLUMN kyc_cases.sealing IS 'How the answers, submissions and documents of the case are sealed; 1 is sealed anew at the next start.';
COMMENT ON COLUMN kyc_cases.answers_seal IS
  'Proves under the user''s retained key which rows of kyc_answers are the newest: an older row put back is refused.';

ALTER TABLE kyc_documents ADD COLUMN seal bytea;
COMMENT ON COLUMN kyc_documents.seal IS
  'Proves under the user''s retained key that user, question, media type and length are those of the upload.';
