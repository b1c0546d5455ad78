-- Links to the pages of a transfer, for its sender. They live in real time, not by the merchant's clock.

CREATE TABLE transfer_links (
  merchant_id   bigint NOT NULL,
  link_id       text NOT NULL CHECK (link_id ~ '^lnk_[0-9A-HJKMNP-TV-Z]+$' AND octet_length(link_id) = 30),
  token_hash    bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  order_id      text NOT NULL,
  user_id       bigint NOT NULL,
  locale        text,
  redirect_url  text,
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  withdrawn_at  timestamptz,
  PRIMARY KEY (merchant_id, link_id),
  CONSTRAINT transfer_links_token UNIQUE (merchant_id, token_hash),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id),
  CONSTRAINT transfer_link_expires_after_its_creation CHECK (expires_at > created_at)
);
CREATE INDEX transfer_links_of_order ON transfer_links (merchant_id, order_id, created_at);
CREATE INDEX transfer_links_of_user ON transfer_links (merchant_id, user_id);
CREATE INDEX transfer_links_expired ON transfer_links (expires_at);
COMMENT ON TABLE transfer_links IS
  'Each link that was given out to the page of an order. Whoever has the link acts as the sender of that order. Real time.';
COMMENT ON COLUMN transfer_links.token_hash IS 'SHA-256 of the token in the address, which is not stored.';
COMMENT ON COLUMN transfer_links.withdrawn_at IS 'From then on the link opens nothing.';
