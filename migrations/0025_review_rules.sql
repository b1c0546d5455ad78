-- Rules that put a paid order under review, the accounts that orders are paid out to, and documents that senders provide.

CREATE TABLE review_rules (
  rule_id       text PRIMARY KEY CHECK (rule_id ~ '^rul_[0-9A-HJKMNP-TV-Z]{26}$'),
  kind          text NOT NULL CHECK (kind IN ('amount', 'velocity', 'new_beneficiary', 'many_senders')),
  for_merchant  bigint CHECK (for_merchant > 0),
  corridor      text CHECK (corridor ~ '^[A-Z]{3}-[A-Z]{3}$'),
  parameters    jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  is_enabled    boolean NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version > 0),
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  -- A key that is missing makes the comparison null, so each is asked for first.
  CHECK (CASE kind
    WHEN 'amount' THEN parameters ? 'fromUsd' OR parameters ?& '{from,currency}'
    WHEN 'velocity' THEN parameters ? 'hours' AND parameters ?| '{maxOrders,maxUsd}'
    WHEN 'new_beneficiary' THEN parameters ?& '{fromUsd,days}'
    WHEN 'many_senders' THEN parameters ?& '{days,maxSenders}'
  END)
);
CREATE TRIGGER review_rules_are_kept BEFORE DELETE OR TRUNCATE ON review_rules
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE review_rules IS 'What puts a paid order under review, besides screening. Every machine of a cluster has this table in full. Rules are disabled, never deleted.';
COMMENT ON COLUMN review_rules.for_merchant IS 'The merchant whose orders the rule is for. Null: all merchants.';
COMMENT ON COLUMN review_rules.corridor IS 'Such as EUR-MXN. Null: all corridors.';
COMMENT ON COLUMN review_rules.parameters IS 'The thresholds of the rule, checked by src/orders/rules/parameters.ts.';

CREATE TABLE order_accounts (
  merchant_id     bigint NOT NULL,
  order_id        text NOT NULL,
  user_id         bigint NOT NULL,
  account_digest  bytea NOT NULL CHECK (octet_length(account_digest) = 32),
  ordered_at      timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE INDEX order_accounts_of_account ON order_accounts (merchant_id, account_digest, ordered_at);
CREATE INDEX order_accounts_of_user ON order_accounts (merchant_id, user_id);
COMMENT ON TABLE order_accounts IS 'The account that each order is paid out to, as a keyed hash, so that rules recognise it. Deleted when the data of the user is no longer kept.';
COMMENT ON COLUMN order_accounts.account_digest IS 'HMAC-SHA256 under a key of the merchant: the same account of two users is recognised within a merchant, and not between merchants.';
COMMENT ON COLUMN order_accounts.ordered_at IS 'When the order was created, by the merchant''s clock.';

CREATE TABLE order_documents (
  merchant_id  bigint NOT NULL,
  order_id     text NOT NULL,
  document_id  text NOT NULL,
  user_id      bigint NOT NULL,
  media_type   text NOT NULL CHECK (media_type IN ('image/jpeg', 'image/png', 'application/pdf')),
  bytes        integer NOT NULL CHECK (bytes > 0),
  chunks       integer NOT NULL CHECK (chunks > 0),
  kept_in      text NOT NULL CHECK (kept_in IN ('database', 'files')),
  seal         bytea NOT NULL,
  stored_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, order_id, document_id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE INDEX order_documents_of_user ON order_documents (merchant_id, user_id);
CREATE INDEX order_documents_in_files ON order_documents (document_id) WHERE kept_in = 'files';
COMMENT ON TABLE order_documents IS 'What senders uploaded when they were asked for it, sealed in chunks under the user''s retained key: in order_document_chunks, or in a file of that id. Deleted when the data of the user is no longer kept.';
COMMENT ON COLUMN order_documents.seal IS 'Proves that the other columns are those of the upload.';

CREATE TABLE order_document_chunks (
  merchant_id   bigint NOT NULL,
  order_id      text NOT NULL,
  document_id   text NOT NULL,
  chunk_no      integer NOT NULL CHECK (chunk_no >= 0),
  sealed_chunk  bytea NOT NULL,
  PRIMARY KEY (merchant_id, order_id, document_id, chunk_no),
  FOREIGN KEY (merchant_id, order_id, document_id)
    REFERENCES order_documents (merchant_id, order_id, document_id) ON DELETE CASCADE
);
ALTER TABLE order_document_chunks ALTER COLUMN sealed_chunk SET STORAGE EXTERNAL;
COMMENT ON TABLE order_document_chunks IS 'The sealed chunks of documents that are kept in the database. Ciphertext does not compress, so nobody tries.';
