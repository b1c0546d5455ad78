-- What merchants asked of the service lately: a help for their developers, never a record.

CREATE TABLE merchant_requests (
  merchant_id   bigint NOT NULL,
  request_no    bigint GENERATED ALWAYS AS IDENTITY,
  received_at   timestamptz NOT NULL,
  method        text NOT NULL,
  path          text NOT NULL,
  status        smallint NOT NULL,
  code          text,
  request_id    text NOT NULL,
  duration_ms   real NOT NULL,
  is_replay     boolean NOT NULL,
  PRIMARY KEY (merchant_id, request_no)
);
CREATE INDEX merchant_requests_old ON merchant_requests (received_at);
COMMENT ON TABLE merchant_requests IS
  'The last requests of each merchant, without bodies and queries. Written in batches after the answers; those that a '
  'process has in memory when it is killed are lost.';
COMMENT ON COLUMN merchant_requests.path IS
  'The path of the route. Only our own ids stand in it; of anything else, the name of the parameter.';
COMMENT ON COLUMN merchant_requests.code IS 'The code of the error. Null: there was none.';
COMMENT ON COLUMN merchant_requests.is_replay IS 'The answer was that of an earlier request with the same key.';
