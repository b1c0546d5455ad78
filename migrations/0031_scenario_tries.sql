-- How long a story waits is counted in tries, not in time: a service that was down for an hour goes on where it stopped.

ALTER TABLE scenario_runs ADD COLUMN tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0);
COMMENT ON COLUMN scenario_runs.tries IS 'How often the next step could not be done yet.';
