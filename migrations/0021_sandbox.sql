-- The sandbox: runs of scenarios, and what its simulated rail was asked to pay.

CREATE TABLE scenario_runs (
  merchant_id   bigint NOT NULL,
  run_id        text NOT NULL CHECK (run_id ~ '^run_[0-9A-HJKMNP-TV-Z]{26}$'),
  scenario      text NOT NULL,
  state         text NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'FINISHED', 'FAILED')),
  step          integer NOT NULL DEFAULT 0 CHECK (step >= 0),
  tries         integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  facts         jsonb NOT NULL DEFAULT '{}',
  failure       text CHECK (char_length(failure) <= 500),
  is_exclusive  boolean NOT NULL,
  try_at        timestamptz NOT NULL DEFAULT statement_timestamp(),
  started_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, run_id),
  CONSTRAINT failed_run_has_failure CHECK ((state = 'FAILED') = (failure IS NOT NULL))
);
CREATE INDEX scenario_runs_to_play ON scenario_runs (try_at) WHERE state = 'RUNNING';
CREATE INDEX scenario_runs_of_merchant ON scenario_runs (merchant_id, started_at, run_id) WHERE state = 'RUNNING';
COMMENT ON TABLE scenario_runs IS
  'Stories that the sandbox plays. Times are real. Each step commits with what it does, so that a run goes on where '
  'it stopped.';
COMMENT ON COLUMN scenario_runs.step IS 'How many steps are done.';
COMMENT ON COLUMN scenario_runs.tries IS 'How often the next step could not be done yet.';
COMMENT ON COLUMN scenario_runs.facts IS 'What later steps need: ids of what earlier steps created. Nothing personal.';
COMMENT ON COLUMN scenario_runs.is_exclusive IS
  'Plays alone: the runs of the merchant that started later wait for it, and it waits for those that started earlier.';
COMMENT ON COLUMN scenario_runs.changed_at IS 'When the last step was done.';

CREATE TABLE sandbox_payouts (
  merchant_id  bigint NOT NULL,
  reference    text NOT NULL,
  outcome      text NOT NULL,
  currency     text NOT NULL,
  amount_minor bigint NOT NULL,
  method       text NOT NULL,
  content_hash text NOT NULL,
  received_at  timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, reference)
);
COMMENT ON TABLE sandbox_payouts IS
  'What the simulated rail of a sandbox was asked to pay. It contains nothing personal.';
