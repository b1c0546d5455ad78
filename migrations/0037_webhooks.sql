-- A due delivery is claimed with a token, until its lease ends.

ALTER TABLE deliveries ADD COLUMN lease_token uuid;
ALTER TABLE deliveries ADD COLUMN leased_until timestamptz;
ALTER TABLE deliveries ADD CHECK ((lease_token IS NULL) = (leased_until IS NULL));
ALTER TABLE deliveries ADD CHECK (lease_token IS NULL OR state = 'pending');
CREATE INDEX deliveries_leased ON deliveries (merchant_id, channel) WHERE lease_token IS NOT NULL;
COMMENT ON COLUMN deliveries.lease_token IS
  'The claim under which it is sent. A result counts only under this token; a new url and a new claim end it.';

ALTER TABLE webhook_endpoints DROP COLUMN held_by, DROP COLUMN claim;
COMMENT ON TABLE webhook_endpoints IS 'One url for each merchant and channel, and its health.';
DROP TABLE webhook_workers, webhook_withdrawals;
