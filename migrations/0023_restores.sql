-- What a restore has to make good.

CREATE TABLE restored_erasures (
  merchant_id  bigint NOT NULL,
  user_id      bigint NOT NULL,
  erased_at    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
);
COMMENT ON TABLE restored_erasures IS
  'Users who were erased after the backup from which this database was restored: a job erases them again. Normally empty.';
