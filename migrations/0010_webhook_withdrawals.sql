-- A url that was replaced or deleted gets no further attempt once the merchant has been told so.

CREATE TABLE webhook_withdrawals (
  merchant_id   bigint NOT NULL REFERENCES merchants (merchant_id),
  channel       text NOT NULL CHECK (channel IN ('order', 'kyc')),
  claim         bigint NOT NULL,
  worker_id     uuid NOT NULL,
  withdrawn_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, channel, claim)
);
CREATE INDEX webhook_withdrawals_of_worker ON webhook_withdrawals (worker_id);
COMMENT ON TABLE webhook_withdrawals IS
  'Claims that a new registration or a deletion took from a worker. The worker deletes the row once it starts no attempt under the claim any more.';

-- An endpoint that is deleted and registered again must not repeat a claim of its former row.
ALTER TABLE webhook_endpoints ALTER COLUMN claim
  SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
