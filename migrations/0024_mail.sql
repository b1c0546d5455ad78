-- Mails to operators, and what they were told of.

CREATE TABLE mails (
  mail_id       uuid PRIMARY KEY,
  subject       text NOT NULL CHECK (length(subject) <= 200),
  content       text NOT NULL CHECK (length(content) <= 100000),
  state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts      integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at        timestamptz NOT NULL,
  last_error    text CHECK (length(last_error) <= 500),
  created_at    timestamptz NOT NULL,
  sent_at       timestamptz,
  CONSTRAINT sent_mail_has_time CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX mails_pending ON mails (due_at) WHERE state = 'pending';
CREATE INDEX mails_newest ON mails (created_at DESC, mail_id);
COMMENT ON TABLE mails IS 'What operators are told by mail. It contains nothing personal, and is deleted after 30 days.';
COMMENT ON COLUMN mails.due_at IS 'When it is sent, or tried again. A claim moves it by its lease.';

CREATE TABLE told_tasks (
  kind         text NOT NULL,
  task_id      text NOT NULL,
  because      text NOT NULL CHECK (because IN ('new', 'overdue')),
  told_at      timestamptz NOT NULL,
  PRIMARY KEY (kind, task_id, because)
);
COMMENT ON TABLE told_tasks IS
  'The tasks that operators were told of by mail, written with the mail: each is told once when it is new or overdue.';
