-- Who resembles an entry of a sanctions list, what operators decided about it, and how far a re-screening has got.

CREATE TABLE screening_hits (
  merchant_id         bigint NOT NULL,
  hit_id              text NOT NULL,
  user_id             bigint NOT NULL,
  kind                text NOT NULL DEFAULT 'sanction' CHECK (kind IN ('sanction', 'exposure')),
  list                text NOT NULL,
  list_version        text NOT NULL,
  entry_id            text NOT NULL,
  entry_hash          text NOT NULL,
  person_hash         bytea NOT NULL CHECK (octet_length(person_hash) = 32),
  score               smallint NOT NULL CHECK (score BETWEEN 0 AND 100),
  is_strong           boolean NOT NULL,
  sealed_explanation  bytea NOT NULL,
  state               text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'dismissed', 'confirmed')),
  found_at            timestamptz NOT NULL DEFAULT statement_timestamp(),
  decided_at          timestamptz,
  decided_by          bigint,
  sealed_note         bytea,
  applied_at          timestamptz,
  PRIMARY KEY (merchant_id, hit_id),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  CONSTRAINT decided_hit_has_time CHECK ((state = 'open') = (decided_at IS NULL)),
  CONSTRAINT hit_decision_is_whole
    CHECK ((decided_at IS NULL) = (decided_by IS NULL) AND (decided_at IS NULL) = (sealed_note IS NULL))
);
CREATE INDEX screening_hits_of_user ON screening_hits (merchant_id, user_id);
CREATE UNIQUE INDEX screening_hits_open ON screening_hits (merchant_id, user_id, kind, list, entry_id) WHERE state = 'open';
CREATE INDEX screening_hits_to_apply ON screening_hits (decided_at) WHERE state = 'confirmed' AND kind = 'sanction' AND applied_at IS NULL;
CREATE INDEX screening_hits_by_state ON screening_hits (state, found_at, hit_id);
COMMENT ON TABLE screening_hits IS
  'A user who resembles an entry of a list. The explanation and the note are sealed under the user''s retained key. '
  'A hit outlives the erasure of its user, until the law no longer wants it kept, and can be decided meanwhile.';
COMMENT ON COLUMN screening_hits.kind IS
  'exposure: the entry is politically exposed and under no sanction. Such a hit freezes nothing.';
COMMENT ON COLUMN screening_hits.entry_hash IS
  'Of the entry''s names, birth dates and countries: a dismissed hit comes back when it changes.';
COMMENT ON COLUMN screening_hits.person_hash IS
  'A keyed hash of what is known of the user: a dismissed hit comes back when it changes.';
COMMENT ON COLUMN screening_hits.applied_at IS
  'Of a confirmed hit: when what the other accounts of the person have had been frozen.';
COMMENT ON COLUMN screening_hits.decided_by IS 'The id of the operator.';

CREATE FUNCTION keep_decided_hit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.merchant_id, NEW.hit_id, NEW.user_id, NEW.kind, NEW.list, NEW.entry_id, NEW.found_at)
     IS DISTINCT FROM (OLD.merchant_id, OLD.hit_id, OLD.user_id, OLD.kind, OLD.list, OLD.entry_id, OLD.found_at) THEN
    RAISE EXCEPTION 'what a hit is about never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.state <> 'open' AND (NEW.state, NEW.entry_hash, NEW.person_hash, NEW.sealed_explanation, NEW.decided_at,
                              NEW.decided_by, NEW.sealed_note)
     IS DISTINCT FROM (OLD.state, OLD.entry_hash, OLD.person_hash, OLD.sealed_explanation, OLD.decided_at,
                       OLD.decided_by, OLD.sealed_note) THEN
    RAISE EXCEPTION 'a hit is decided once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hit_is_decided_once BEFORE UPDATE ON screening_hits FOR EACH ROW EXECUTE FUNCTION keep_decided_hit();

CREATE TABLE screened_users (
  merchant_id    bigint NOT NULL,
  user_id        bigint NOT NULL,
  lists_version  text NOT NULL,
  screened_at    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
);
COMMENT ON TABLE screened_users IS
  'When a user was last compared with the lists, and with which version of all lists together.';

CREATE TABLE screening_runs (
  run_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  lists_version    text NOT NULL,
  people           bigint NOT NULL,
  screened         bigint NOT NULL DEFAULT 0,
  hits             bigint NOT NULL DEFAULT 0,
  failed           bigint NOT NULL DEFAULT 0,
  after_merchant   bigint NOT NULL DEFAULT 0,
  after_user       bigint NOT NULL DEFAULT 0,
  worker           text,
  leased_until     timestamptz,
  started_at       timestamptz NOT NULL DEFAULT statement_timestamp(),
  finished_at      timestamptz,
  superseded_at    timestamptz
);
CREATE UNIQUE INDEX screening_runs_current ON screening_runs ((true)) WHERE superseded_at IS NULL;
COMMENT ON TABLE screening_runs IS
  'Each version of the lists that everyone with an approved level is screened against again. One run is current.';
COMMENT ON COLUMN screening_runs.after_user IS
  'The place of the run: everyone up to this user of after_merchant was screened.';
COMMENT ON COLUMN screening_runs.worker IS 'The process that works on the run until leased_until.';
