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

-- Invitations by which recipients enter their own accounts. Real time, like the links.

CREATE TABLE recipient_invitations (
  merchant_id     bigint NOT NULL,
  invitation_id   text NOT NULL CHECK (invitation_id ~ '^inv_[0-9A-HJKMNP-TV-Z]+$' AND octet_length(invitation_id) = 30),
  token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  user_id         bigint NOT NULL,
  country         text NOT NULL,
  currency        text NOT NULL,
  method          text NOT NULL,
  type            text NOT NULL,
  locale          text,
  beneficiary_id  text,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  shows_from      timestamptz CHECK (shows_from IS NULL OR completed_at IS NOT NULL),
  withdrawn_at    timestamptz,
  PRIMARY KEY (merchant_id, invitation_id),
  CONSTRAINT recipient_invitations_token UNIQUE (merchant_id, token_hash),
  CONSTRAINT recipient_invitation_has_a_beneficiary_when_completed
    CHECK ((beneficiary_id IS NULL) = (completed_at IS NULL)),
  CONSTRAINT recipient_invitation_expires_after_its_creation CHECK (expires_at > created_at)
);
CREATE INDEX recipient_invitations_of_user ON recipient_invitations (merchant_id, user_id, created_at);
CREATE INDEX recipient_invitations_expired ON recipient_invitations (expires_at);
COMMENT ON TABLE recipient_invitations IS
  'Each invitation of a user to somebody who is to receive money. Whoever has the link enters one account, once. Real time.';
COMMENT ON COLUMN recipient_invitations.token_hash IS 'SHA-256 of the token in the address, which is not stored.';
COMMENT ON COLUMN recipient_invitations.beneficiary_id IS
  'The beneficiary of the account that was entered, which the user may have had before. Null until then.';
COMMENT ON COLUMN recipient_invitations.shows_from IS
  'The link shows orders to the beneficiary that were placed after this time, by the clock of the merchant. Null: none, because the user had the account before with other details.';
COMMENT ON COLUMN recipient_invitations.expires_at IS 'A completed invitation shows until then what is on its way.';
