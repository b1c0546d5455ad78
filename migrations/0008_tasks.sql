-- The claims of operators on whatever waits for a person.

CREATE TABLE task_claims (
  kind         text NOT NULL,
  task_id      text NOT NULL,
  operator_id  bigint NOT NULL,
  claimed_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (kind, task_id),
  CONSTRAINT claim_ends_after_it_begins CHECK (expires_at > claimed_at)
);
CREATE INDEX task_claims_by_end ON task_claims (expires_at);
COMMENT ON TABLE task_claims IS
  'Which operator works on something that waits for a person, and until when. A claim changes nothing else.';
