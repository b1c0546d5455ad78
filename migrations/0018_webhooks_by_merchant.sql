-- Events are numbered merchant by merchant. The row of a channel decides who numbers it.

-- Nodes of the previous version look for events without a number by event_no. They find them by this index as well.
DROP INDEX events_unnumbered;
CREATE INDEX events_unnumbered ON events (merchant_id, channel, recorded_at, event_id)
  WHERE sequence IS NULL AND type <> 'webhook.test';

-- A row exists before the first number is given.
ALTER TABLE event_sequences DROP CONSTRAINT event_sequences_last_sequence_check;
ALTER TABLE event_sequences ADD CHECK (last_sequence >= 0);
ALTER TABLE event_sequences ADD COLUMN url_deletions bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN event_sequences.url_deletions IS
  'Goes up when the url of the channel is deleted: numbering that began before it begins again.';
