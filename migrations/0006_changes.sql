-- The log of changes: who did what to what, and what a merchant is told of it; and signed heads that cover it.

CREATE TABLE changes (
  merchant_id      bigint NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  actor_kind       text NOT NULL CHECK (actor_kind IN ('merchant', 'user', 'operator', 'system')),
  actor_id         text NOT NULL,
  approved_by      bigint,
  approval_id      text,
  action           text NOT NULL,
  subject          text NOT NULL,
  from_state       text,
  to_state         text,
  details          json NOT NULL,
  request_id       text,
  version          integer,
  public_version   integer,
  event_id         text,
  channel          text CHECK (channel IN ('order', 'kyc')),
  event_type       text,
  object           text CHECK (octet_length(object) <= 65536),
  object_digest    bytea,
  previous_status  text,
  journal_ids      bigint[] NOT NULL,
  journals_digest  bytea,
  row_digest       bytea,
  occurred_at      timestamptz NOT NULL,
  recorded_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  seal             bytea NOT NULL,
  number           bigint CHECK (number > 0),
  hash             bytea,
  sequence         bigint CHECK (sequence > 0),
  traceparent      text CHECK (char_length(traceparent) <= 64),
  PRIMARY KEY (merchant_id, id),
  CONSTRAINT approval_is_whole CHECK (num_nulls(approved_by, approval_id) IN (0, 2)),
  CONSTRAINT event_is_whole CHECK (num_nulls(event_id, channel, event_type, object_digest) IN (0, 4)),
  CONSTRAINT only_events_have_objects CHECK (event_id IS NOT NULL OR num_nonnulls(object, previous_status) = 0),
  CONSTRAINT journals_have_a_digest CHECK ((journals_digest IS NULL) = (journal_ids = '{}')),
  CONSTRAINT number_is_whole CHECK (num_nulls(number, hash) IN (0, 2)),
  CONSTRAINT events_are_numbered_with_their_change
    CHECK ((sequence IS NOT NULL) = (number IS NOT NULL AND event_id IS NOT NULL AND event_type <> 'webhook.test'))
);
CREATE INDEX changes_of_subject ON changes (subject, id);
CREATE INDEX changes_of_action ON changes (action, id);
CREATE INDEX changes_of_actor ON changes (actor_kind, actor_id, id);
CREATE INDEX changes_by_time ON changes USING brin (recorded_at);
CREATE INDEX changes_by_id ON changes (id);
CREATE UNIQUE INDEX changes_version ON changes (merchant_id, subject, version) WHERE version IS NOT NULL;
CREATE UNIQUE INDEX changes_event ON changes (merchant_id, event_id) WHERE event_id IS NOT NULL;
CREATE UNIQUE INDEX changes_number ON changes (merchant_id, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX changes_sequence ON changes (merchant_id, channel, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX changes_unnumbered ON changes (merchant_id, id) WHERE number IS NULL;
CREATE INDEX changes_with_object ON changes (recorded_at) WHERE object IS NOT NULL;
COMMENT ON TABLE changes IS
  'Every change, written with what it changes; numbered and chained after commit. Ids, states and names of fields, nothing personal.';
COMMENT ON COLUMN changes.merchant_id IS 'The merchant whose chain the change belongs to; 0 is the instance.';
COMMENT ON COLUMN changes.actor_id IS 'Who asked for it. Under four eyes approved_by is the operator who approved.';
COMMENT ON COLUMN changes.version IS 'Of the subject after the change; public_version where merchants see the change.';
COMMENT ON COLUMN changes.event_id IS 'Of the event by which the merchant is told; null when nothing is told.';
COMMENT ON COLUMN changes.object IS 'JSON as it was recorded, without personal data; gone after 30 days. object_digest stays.';
COMMENT ON COLUMN changes.journals_digest IS 'Covers the seals of the journals that the change wrote.';
COMMENT ON COLUMN changes.row_digest IS 'Covers what identifies the content of the row that the change left behind.';
COMMENT ON COLUMN changes.occurred_at IS 'By the merchant''s clock; recorded_at is real time.';
COMMENT ON COLUMN changes.seal IS
  'A keyed hash over everything that the service gave: all but the id, the times and what numbering adds.';
COMMENT ON COLUMN changes.number IS 'In the chain of the merchant, without gaps; null until the change is chained.';
COMMENT ON COLUMN changes.sequence IS 'Of the event in its channel, without gaps. Test events have none.';
COMMENT ON COLUMN changes.traceparent IS 'Of the request that made it, for links between traces; not sealed. Null where nobody traces.';
CREATE TRIGGER changes_are_kept BEFORE DELETE OR TRUNCATE ON changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER change_stays_as_recorded BEFORE UPDATE ON changes FOR EACH ROW
  WHEN ((OLD.number IS NOT NULL
         AND (NEW.number, NEW.hash, NEW.sequence) IS DISTINCT FROM (OLD.number, OLD.hash, OLD.sequence))
        OR (NEW.object IS NOT NULL AND NEW.object IS DISTINCT FROM OLD.object)
        OR (NEW.merchant_id, NEW.id, NEW.actor_kind, NEW.actor_id, NEW.approved_by, NEW.approval_id, NEW.action,
            NEW.subject, NEW.from_state, NEW.to_state, NEW.details::text, NEW.request_id, NEW.version,
            NEW.public_version, NEW.event_id, NEW.channel, NEW.event_type, NEW.object_digest, NEW.previous_status,
            NEW.journal_ids, NEW.journals_digest, NEW.row_digest, NEW.occurred_at, NEW.recorded_at, NEW.seal)
           IS DISTINCT FROM
           (OLD.merchant_id, OLD.id, OLD.actor_kind, OLD.actor_id, OLD.approved_by, OLD.approval_id, OLD.action,
            OLD.subject, OLD.from_state, OLD.to_state, OLD.details::text, OLD.request_id, OLD.version,
            OLD.public_version, OLD.event_id, OLD.channel, OLD.event_type, OLD.object_digest, OLD.previous_status,
            OLD.journal_ids, OLD.journals_digest, OLD.row_digest, OLD.occurred_at, OLD.recorded_at, OLD.seal))
  EXECUTE FUNCTION refuse_change();

CREATE TABLE change_chains (
  merchant_id     bigint PRIMARY KEY CHECK (merchant_id >= 0),
  number          bigint NOT NULL DEFAULT 0,
  hash            bytea NOT NULL,
  order_sequence  bigint NOT NULL DEFAULT 0,
  kyc_sequence    bigint NOT NULL DEFAULT 0,
  due_at          timestamptz NOT NULL DEFAULT '-infinity',
  signed_number   bigint NOT NULL DEFAULT 0,
  CONSTRAINT signed_head_is_within_chain CHECK (signed_number <= number)
);
CREATE INDEX change_chains_unsigned ON change_chains (merchant_id) WHERE signed_number < number;
COMMENT ON TABLE change_chains IS
  'The end of each merchant''s chain, the last number given in each channel, and how far a signed head covers the chain. '
  'Its row is locked while changes are numbered and while a url is deleted.';
COMMENT ON COLUMN change_chains.due_at IS 'When the newest deliveries became due. Never runs backwards.';

CREATE TABLE signed_heads (
  number         bigint PRIMARY KEY CHECK (number > 0),
  previous_hash  bytea NOT NULL,
  ends           jsonb NOT NULL,
  signed_at      timestamptz NOT NULL,
  hash           bytea NOT NULL,
  signature      bytea NOT NULL
);
COMMENT ON TABLE signed_heads IS
  'Signed heads: each lists the chains that grew, as [merchant, number, hash], and covers the head before it.';
CREATE TRIGGER signed_heads_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON signed_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
