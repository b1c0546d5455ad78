-- How one person is recognised across users and merchants, and who and what is blocked.

CREATE TABLE person_identifiers (
  merchant_id  bigint NOT NULL,
  user_id      bigint NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('name_and_birth_date', 'document', 'national_id', 'name', 'birth_date',
                 'email', 'phone')),
  source       text NOT NULL CHECK (source IN ('profile', 'form', 'verified')),
  digest       bytea NOT NULL CHECK (octet_length(digest) = 32),
  PRIMARY KEY (merchant_id, user_id, kind, source, digest),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
);
CREATE INDEX person_identifiers_by_digest ON person_identifiers (digest);
COMMENT ON TABLE person_identifiers IS
  'Keyed digests of what is known of a user, so that operators find a person, and recognise the same person under '
  'another user or another merchant. Deleted when nothing of the user is kept any more.';
COMMENT ON COLUMN person_identifiers.source IS
  'verified: an operator has approved a form with a document that says so. Anybody can claim the rest, so it never freezes money.';
COMMENT ON COLUMN person_identifiers.digest IS
  'HMAC-SHA256 under a key of the instance. Merchants never see it, nor anything that follows from it.';

CREATE TABLE blocks (
  block_id        text PRIMARY KEY CHECK (block_id ~ '^blk_[0-9A-HJKMNP-TV-Z]{26}$'),
  kind            text NOT NULL CHECK (kind IN ('person', 'account', 'phone', 'document')),
  of_merchant     bigint CHECK (of_merchant > 0),
  of_user         bigint,
  sealed_details  bytea NOT NULL,
  state           text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'lifted')),
  version         integer NOT NULL DEFAULT 1 CHECK (version > 0),
  blocked_at      timestamptz NOT NULL DEFAULT statement_timestamp(),
  blocked_by      bigint NOT NULL,
  lifted_at       timestamptz,
  applied_at      timestamptz,
  CONSTRAINT person_is_a_user CHECK ((kind = 'person') = (of_user IS NOT NULL) AND (of_user IS NULL) = (of_merchant IS NULL)),
  CONSTRAINT lifted_has_a_time CHECK ((state = 'lifted') = (lifted_at IS NOT NULL))
);
CREATE INDEX blocks_to_apply ON blocks (blocked_at) WHERE applied_at IS NULL AND state = 'active';
COMMENT ON TABLE blocks IS
  'The block list: no money moves of or to whom or what is on it. Every machine of a cluster has this table in full. '
  'Blocks are lifted by two operators, never deleted.';
COMMENT ON COLUMN blocks.sealed_details IS 'What was blocked as it was entered, and why, sealed under a key of the instance.';
COMMENT ON COLUMN blocks.applied_at IS 'When the orders and the money in suspense that were there had been frozen.';
CREATE TRIGGER blocks_are_kept BEFORE DELETE OR TRUNCATE ON blocks
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE block_marks (
  block_id  text NOT NULL REFERENCES blocks (block_id),
  digest    bytea NOT NULL CHECK (octet_length(digest) = 32),
  is_verified  boolean NOT NULL,
  PRIMARY KEY (block_id, digest)
);
CREATE INDEX block_marks_by_digest ON block_marks (digest);
COMMENT ON TABLE block_marks IS 'What a block is recognised by: digests as those of person_identifiers, of users and of accounts.';
COMMENT ON COLUMN block_marks.is_verified IS
  'Whether an operator entered it, or has approved a form that says it. The rest sends money to a review, and freezes nothing.';
CREATE TRIGGER block_marks_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON block_marks
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
