-- What customers complain about and report as errors, by when it is answered, and how it ended.

CREATE TABLE complaints (
  merchant_id       bigint NOT NULL,
  complaint_id      text NOT NULL CHECK (complaint_id ~ '^cmp_[0-9A-HJKMNP-TV-Z]{26}$'),
  user_id           bigint NOT NULL,
  order_id          text,
  kind              text NOT NULL CHECK (kind IN ('complaint', 'error')),
  topic             text NOT NULL CHECK (topic IN ('not_received', 'wrong_amount_received', 'wrong_amount_paid', 'late',
                      'refund', 'price', 'identity_check', 'privacy', 'service', 'information', 'other')),
  channel           text NOT NULL CHECK (channel IN ('api', 'email', 'phone', 'letter', 'in_person')),
  country           text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  article           text NOT NULL,
  state             text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'held', 'answered')),
  received_at       timestamptz NOT NULL,
  answer_by         timestamptz NOT NULL,
  latest_by         timestamptz,
  is_in_time        boolean NOT NULL,
  held_at           timestamptz,
  answered_at       timestamptz,
  answered_by       bigint,
  outcome           text CHECK (outcome IN ('upheld', 'partly_upheld', 'rejected')),
  remedy            text CHECK (remedy IN ('none', 'refund', 'resend', 'apology', 'correction')),
  remedy_due_by     timestamptz,
  remedy_reference  text,
  version           integer NOT NULL DEFAULT 1 CHECK (version > 0),
  PRIMARY KEY (merchant_id, complaint_id),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  CONSTRAINT error_is_about_an_order CHECK (kind = 'complaint' OR order_id IS NOT NULL),
  CONSTRAINT answer_is_whole CHECK ((state = 'answered') = (answered_at IS NOT NULL)
    AND (answered_at IS NULL) = (outcome IS NULL) AND (answered_at IS NULL) = (remedy IS NULL)
    AND (answered_at IS NULL) = (answered_by IS NULL)),
  CONSTRAINT remedy_of_an_answer CHECK (remedy_reference IS NULL OR remedy IN ('refund', 'resend')),
  CONSTRAINT held_only_where_the_law_lets CHECK (held_at IS NULL OR latest_by IS NOT NULL)
);
CREATE INDEX complaints_of_order ON complaints (merchant_id, order_id);
CREATE INDEX complaints_of_user ON complaints (merchant_id, user_id);
CREATE INDEX complaints_of_all_by_id ON complaints (complaint_id);
CREATE INDEX complaints_unanswered ON complaints (received_at, complaint_id) WHERE state <> 'answered';
CREATE INDEX complaints_to_remedy ON complaints (answered_at, complaint_id)
  WHERE remedy IN ('refund', 'resend') AND remedy_reference IS NULL;
COMMENT ON TABLE complaints IS 'Complaints and errors. What customers and operators wrote is in complaint_texts.';
COMMENT ON COLUMN complaints.article IS 'The rule from which the clocks came, as it was then.';
COMMENT ON COLUMN complaints.is_in_time IS 'Whether the law still asks for an answer. What came late is looked into all the same.';
COMMENT ON COLUMN complaints.remedy_reference IS 'The refund or the order that put it right.';
CREATE TRIGGER complaints_are_kept BEFORE DELETE OR TRUNCATE ON complaints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE complaint_texts (
  merchant_id   bigint NOT NULL,
  complaint_id  text NOT NULL,
  number        integer NOT NULL CHECK (number > 0),
  kind          text NOT NULL CHECK (kind IN ('claim', 'holding_reply', 'answer')),
  sealed_text   bytea NOT NULL,
  written_by    bigint,
  written_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, complaint_id, number),
  FOREIGN KEY (merchant_id, complaint_id) REFERENCES complaints (merchant_id, complaint_id)
);
COMMENT ON TABLE complaint_texts IS
  'What was written, sealed under the retained key of the user: unreadable once that is gone.';
COMMENT ON COLUMN complaint_texts.written_by IS 'The operator; null for what the customer said through the merchant.';
CREATE TRIGGER complaint_texts_stay_as_written BEFORE UPDATE OR DELETE OR TRUNCATE ON complaint_texts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
