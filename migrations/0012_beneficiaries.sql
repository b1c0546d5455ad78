-- Who receives money, sealed under a key of the user who entered it.

CREATE TABLE beneficiaries (
  merchant_id     bigint NOT NULL,
  beneficiary_id  text NOT NULL,
  user_id         bigint NOT NULL,
  account_hash    bytea NOT NULL CHECK (octet_length(account_hash) = 32),
  version         integer NOT NULL CHECK (version > 0),
  sealed_details  bytea NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, beneficiary_id),
  UNIQUE (merchant_id, user_id, account_hash),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id)
);
COMMENT ON TABLE beneficiaries IS 'The people and companies that a user sends money to. Deleted with the user.';
COMMENT ON COLUMN beneficiaries.account_hash IS
  'A hash of the account under a key of the user: the same account is one beneficiary.';
COMMENT ON COLUMN beneficiaries.sealed_details IS
  'Name, address and account, sealed under the user''s key for beneficiaries.';
