-- What compliance officers look at. Cases concern users of several merchants, so these tables belong to the instance.

CREATE TABLE monitoring_replays (
  replay_id     text PRIMARY KEY CHECK (replay_id ~ '^rpl_[0-9A-HJKMNP-TV-Z]{26}$'),
  kind          text NOT NULL,
  parameters    jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  period_from   timestamptz NOT NULL,
  period_until  timestamptz NOT NULL CHECK (period_until > period_from),
  report        jsonb,
  attempts      integer NOT NULL DEFAULT 0,
  claim         text,
  leased_until  timestamptz,
  made_by       bigint NOT NULL,
  made_at       timestamptz NOT NULL DEFAULT statement_timestamp()
);
CREATE INDEX monitoring_replays_to_make ON monitoring_replays (made_at) WHERE report IS NULL;
COMMENT ON TABLE monitoring_replays IS
  'What a rule would have found in orders of the past. A job makes the report; a rule is enabled with it.';
COMMENT ON COLUMN monitoring_replays.report IS 'Null until the job has read all payments of the period.';
CREATE TRIGGER monitoring_replays_are_kept BEFORE DELETE OR TRUNCATE ON monitoring_replays
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reports_stay_as_made BEFORE UPDATE ON monitoring_replays FOR EACH ROW
  WHEN (OLD.report IS NOT NULL) EXECUTE FUNCTION refuse_change();

CREATE TABLE monitoring_rules (
  rule_id     text PRIMARY KEY CHECK (rule_id ~ '^mon_[0-9A-HJKMNP-TV-Z]{26}$'),
  kind        text NOT NULL CHECK (kind IN ('structuring', 'rapid_in_out', 'many_to_one', 'one_to_many',
                'sudden_change', 'dormant_then_active', 'geography')),
  parameters  jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  is_enabled  boolean NOT NULL DEFAULT false,
  replay_id   text REFERENCES monitoring_replays (replay_id),
  version     integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at  timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT enabled_with_a_replay CHECK (NOT is_enabled OR replay_id IS NOT NULL)
);
COMMENT ON TABLE monitoring_rules IS 'What raises an alert after money has moved. Rules are disabled, never deleted.';
CREATE TRIGGER monitoring_rules_are_kept BEFORE DELETE OR TRUNCATE ON monitoring_rules
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE monitoring_progress (
  merchant_id    bigint PRIMARY KEY,
  seen_micros    bigint NOT NULL DEFAULT -1,
  seen_order     text NOT NULL DEFAULT '',
  batch_size     integer NOT NULL DEFAULT 500 CHECK (batch_size > 0),
  claim          text,
  leased_until   timestamptz,
  failures       integer NOT NULL DEFAULT 0,
  failing_since  timestamptz
);
COMMENT ON TABLE monitoring_progress IS 'Up to which payment the rules have looked at the orders of each merchant.';
COMMENT ON COLUMN monitoring_progress.seen_micros IS
  'When its money came, in microseconds since 1970; with `seen_order` the place of the last payment that was looked at.';
COMMENT ON COLUMN monitoring_progress.batch_size IS 'How many payments are looked at together; fewer after a failure.';

CREATE TABLE compliance_cases (
  case_id       text PRIMARY KEY CHECK (case_id ~ '^cas_[0-9A-HJKMNP-TV-Z]{26}$'),
  state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'investigating', 'reported', 'closed')),
  sealed_title  bytea NOT NULL,
  owner         bigint,
  due_at        timestamptz NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version > 0),
  opened_by     bigint NOT NULL,
  opened_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT statement_timestamp()
);
CREATE INDEX compliance_cases_due ON compliance_cases (due_at, case_id) WHERE state <> 'closed';
COMMENT ON TABLE compliance_cases IS
  'What belongs together about one person or a group. No merchant and no user sees anything of it.';
CREATE TRIGGER compliance_cases_are_kept BEFORE DELETE OR TRUNCATE ON compliance_cases
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE compliance_case_items (
  case_id      text NOT NULL REFERENCES compliance_cases (case_id),
  number       integer NOT NULL CHECK (number > 0),
  kind         text NOT NULL CHECK (kind IN ('user', 'order', 'hit', 'alert', 'case', 'block', 'note',
                 'decision', 'narrative', 'filing')),
  of_merchant  bigint CHECK (of_merchant > 0),
  reference    text,
  sealed_text  bytea,
  added_by     bigint NOT NULL,
  added_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  removed_by   bigint,
  removed_at   timestamptz,
  sealed_why   bytea,
  PRIMARY KEY (case_id, number),
  CONSTRAINT removed_says_why CHECK ((removed_at IS NULL) = (sealed_why IS NULL) AND (removed_at IS NULL) = (removed_by IS NULL)),
  CONSTRAINT what_is_written_stays CHECK (removed_at IS NULL OR reference IS NOT NULL)
);
CREATE UNIQUE INDEX compliance_case_items_once ON compliance_case_items (case_id, kind, coalesce(of_merchant, 0), reference)
  WHERE reference IS NOT NULL AND removed_at IS NULL;
CREATE INDEX compliance_case_items_of ON compliance_case_items (kind, reference);
COMMENT ON TABLE compliance_case_items IS 'What a case holds: references by id, and texts sealed under a key of the instance.';
COMMENT ON COLUMN compliance_case_items.removed_at IS
  'A reference that was added by mistake belongs to the case no more; it stays to be seen, with the reason.';
CREATE TRIGGER compliance_case_items_are_kept BEFORE DELETE OR TRUNCATE ON compliance_case_items
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER compliance_case_items_stay_as_added BEFORE UPDATE ON compliance_case_items FOR EACH ROW
  WHEN (OLD.removed_at IS NOT NULL
        OR (OLD.case_id, OLD.number, OLD.kind, OLD.of_merchant, OLD.reference, OLD.sealed_text, OLD.added_by, OLD.added_at)
        IS DISTINCT FROM
        (NEW.case_id, NEW.number, NEW.kind, NEW.of_merchant, NEW.reference, NEW.sealed_text, NEW.added_by, NEW.added_at))
  EXECUTE FUNCTION refuse_change();

CREATE TABLE alerts (
  alert_id     text PRIMARY KEY CHECK (alert_id ~ '^alr_[0-9A-HJKMNP-TV-Z]{26}$'),
  rule_id      text NOT NULL REFERENCES monitoring_rules (rule_id),
  rule_version integer NOT NULL,
  subject      text NOT NULL,
  of_merchant  bigint NOT NULL CHECK (of_merchant > 0),
  of_user      bigint NOT NULL,
  order_id     text NOT NULL,
  order_ids    text[] NOT NULL,
  facts        jsonb NOT NULL,
  paid_at      timestamptz NOT NULL,
  state        text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'in_case', 'dismissed')),
  case_id      text REFERENCES compliance_cases (case_id),
  sealed_note  bytea,
  decided_by   bigint,
  raised_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  UNIQUE (rule_id, order_id),
  CONSTRAINT in_case_names_it CHECK ((state = 'in_case') = (case_id IS NOT NULL)),
  CONSTRAINT dismissed_says_why CHECK ((state = 'dismissed') = (sealed_note IS NOT NULL))
);
CREATE INDEX alerts_of_subject ON alerts (rule_id, subject, paid_at);
CREATE INDEX alerts_of_user ON alerts (of_merchant, of_user);
CREATE INDEX alerts_open ON alerts (raised_at, alert_id) WHERE state = 'open';
COMMENT ON TABLE alerts IS 'What a monitoring rule found, with its facts: numbers and ids, nothing personal.';
CREATE TRIGGER alerts_are_kept BEFORE DELETE OR TRUNCATE ON alerts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE user_notes (
  merchant_id  bigint NOT NULL,
  user_id      bigint NOT NULL,
  number       integer NOT NULL CHECK (number > 0),
  sealed_note  bytea NOT NULL,
  written_by   bigint NOT NULL,
  written_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, user_id, number),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
);
COMMENT ON TABLE user_notes IS
  'What operators noted about a user. Merchants and users never see it; it cannot be opened once the retained key is gone.';

CREATE TABLE legal_holds (
  hold_id        text PRIMARY KEY CHECK (hold_id ~ '^hld_[0-9A-HJKMNP-TV-Z]{26}$'),
  of_merchant    bigint NOT NULL CHECK (of_merchant > 0),
  of_user        bigint NOT NULL,
  sealed_reason  bytea NOT NULL,
  placed_by      bigint NOT NULL,
  placed_at      timestamptz NOT NULL DEFAULT statement_timestamp(),
  released_by    bigint,
  released_at    timestamptz,
  sealed_note    bytea,
  CONSTRAINT released_says_why CHECK ((released_at IS NULL) = (released_by IS NULL) AND (released_at IS NULL) = (sealed_note IS NULL))
);
CREATE INDEX legal_holds_of_user ON legal_holds (of_merchant, of_user) WHERE released_at IS NULL;
COMMENT ON TABLE legal_holds IS
  'Whose data must not be erased, however long ago the time for which the law wants it has ended: an authority or a court '
  'asked for it. No merchant and no user sees anything of it.';
CREATE TRIGGER legal_holds_are_kept BEFORE DELETE OR TRUNCATE ON legal_holds
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER released_holds_stay BEFORE UPDATE ON legal_holds FOR EACH ROW
  WHEN (OLD.released_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
