-- How risky each user is as a customer, and why. Merchants and users see nothing of it.

CREATE TABLE risk_ratings (
  merchant_id      bigint NOT NULL,
  user_id          bigint NOT NULL,
  band             text NOT NULL CHECK (band IN ('low', 'medium', 'high')),
  rated_band       text NOT NULL CHECK (rated_band IN ('low', 'medium', 'high')),
  points           integer NOT NULL CHECK (points >= 0),
  sealed_because   bytea NOT NULL,
  version          integer NOT NULL DEFAULT 1 CHECK (version > 0),
  rated_at         timestamptz NOT NULL DEFAULT statement_timestamp(),
  checked_at       timestamptz NOT NULL DEFAULT statement_timestamp(),
  review_by        timestamptz NOT NULL,
  chosen_band      text CHECK (chosen_band IN ('low', 'medium', 'high')),
  points_then      integer CHECK (points_then >= 0),
  reviewed_by      bigint,
  reviewed_at      timestamptz,
  sealed_note      bytea,
  PRIMARY KEY (merchant_id, user_id),
  FOREIGN KEY (merchant_id, user_id) REFERENCES users (merchant_id, user_id),
  CONSTRAINT review_is_whole CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL)
    AND (reviewed_at IS NULL) = (sealed_note IS NULL) AND (reviewed_at IS NULL) = (points_then IS NULL)),
  CONSTRAINT chosen_in_a_review CHECK (chosen_band IS NULL OR reviewed_at IS NOT NULL)
);
CREATE INDEX risk_ratings_to_review ON risk_ratings (review_by);
COMMENT ON TABLE risk_ratings IS
  'The newest rating of a user. Each change is in the log. What gave points, and what operators wrote, is sealed under '
  'the retained key of the user.';
COMMENT ON COLUMN risk_ratings.band IS 'What holds: the rated band, or what an operator chose instead.';
COMMENT ON COLUMN risk_ratings.points_then IS
  'The points when an operator chose: a milder choice ends once the facts are worse.';
COMMENT ON COLUMN risk_ratings.checked_at IS 'When the facts were last looked at, also where nothing had changed.';

CREATE TABLE risk_sweep (
  one             boolean PRIMARY KEY DEFAULT true CHECK (one),
  after_merchant  bigint NOT NULL DEFAULT 0,
  after_user      bigint NOT NULL DEFAULT 0,
  claim           text,
  leased_until    timestamptz
);
INSERT INTO risk_sweep DEFAULT VALUES;
COMMENT ON TABLE risk_sweep IS 'Up to which customer the job has come that rates all of them again.';
