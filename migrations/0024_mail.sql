-- Mails to operators, what they were told of, and mails to senders.

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

CREATE TABLE sender_mails (
  merchant_id  bigint NOT NULL,
  mail_id      uuid NOT NULL,
  user_id      bigint NOT NULL,
  order_id     text NOT NULL,
  news         text NOT NULL CHECK (news IN ('paid', 'answer', 'sent', 'collect', 'arrived', 'refunded')),
  asked        integer NOT NULL CHECK (asked >= 0),
  state        text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed', 'dropped')),
  locale       text,
  attempts     integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at       timestamptz NOT NULL,
  last_error   text CHECK (length(last_error) <= 500),
  created_at   timestamptz NOT NULL,
  sent_at      timestamptz,
  PRIMARY KEY (merchant_id, mail_id),
  CONSTRAINT sender_mails_once UNIQUE (merchant_id, order_id, news, asked),
  CONSTRAINT sent_sender_mail_has_time CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX sender_mails_pending ON sender_mails (due_at) WHERE state = 'pending';
CREATE INDEX sender_mails_of_user ON sender_mails (merchant_id, user_id);
CREATE INDEX sender_mails_old ON sender_mails (created_at);
COMMENT ON TABLE sender_mails IS
  'What senders are told of their orders by mail, for merchants who want it, written with the change that it tells of. Neither the address nor the text is stored: both are made when the mail is sent. Real time.';
COMMENT ON COLUMN sender_mails.asked IS 'Which time something is asked of the sender; 0 for what is told once.';
COMMENT ON COLUMN sender_mails.state IS 'dropped: when it was due there was nothing to tell any more, or nobody to be told.';
COMMENT ON COLUMN sender_mails.locale IS 'The language in which it was sent.';
