-- The people who run this instance.

CREATE TABLE operators (
  operator_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  login              text NOT NULL UNIQUE CHECK (login ~ '^[a-z0-9][a-z0-9._@+-]{1,119}$'),
  password_hash      text NOT NULL,
  role               text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'admin')),
  status             text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_at        timestamptz,
  code_issued_at     timestamptz,
  code_issued_by     bigint,
  code_expires_at    timestamptz,
  last_login_at      timestamptz,
  failed_logins      integer NOT NULL DEFAULT 0 CHECK (failed_logins >= 0),
  last_failed_at     timestamptz,
  tokens_not_before  timestamptz NOT NULL DEFAULT '-infinity',
  second_factor      bytea,
  second_factor_step bigint NOT NULL DEFAULT 0,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT code_was_issued CHECK (code_expires_at IS NULL OR code_issued_at IS NOT NULL)
);
COMMENT ON TABLE operators IS 'The people who run this instance. They belong to no merchant.';
COMMENT ON COLUMN operators.password_hash IS 'Of the password, or of the one-time code while code_expires_at is set.';
COMMENT ON COLUMN operators.disabled_at IS 'When the operator was last disabled.';
COMMENT ON COLUMN operators.code_issued_by IS
  'The operator who asked for the newest one-time code, and so knew it; null for the command line.';
COMMENT ON COLUMN operators.code_expires_at IS
  'Until when the one-time code works. Null once the operator has chosen a password.';
COMMENT ON COLUMN operators.failed_logins IS 'Since the last login.';
COMMENT ON COLUMN operators.second_factor IS
  'The secret of the authenticator app (TOTP), sealed; null while the password alone opens the account.';
COMMENT ON COLUMN operators.second_factor_step IS
  'The 30 seconds of the last code that was accepted, so that no code works twice.';

-- A request for approval ends when its operator is disabled, also if the operator is enabled again before anyone looks.
CREATE FUNCTION note_disabled_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.disabled_at := statement_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER operator_disabled_at BEFORE UPDATE ON operators FOR EACH ROW
  WHEN (NEW.status = 'disabled' AND OLD.status <> 'disabled') EXECUTE FUNCTION note_disabled_operator();

CREATE TABLE operator_sessions (
  session_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret_hash        bytea NOT NULL UNIQUE,
  operator_id        bigint NOT NULL REFERENCES operators,
  tokens_not_before  timestamptz NOT NULL,
  awaits_code        boolean NOT NULL,
  address            text NOT NULL CHECK (length(address) <= 64),
  browser            text NOT NULL CHECK (length(browser) <= 200),
  started_at         timestamptz NOT NULL DEFAULT statement_timestamp(),
  last_seen_at       timestamptz NOT NULL DEFAULT statement_timestamp(),
  expires_at         timestamptz NOT NULL
);
CREATE INDEX operator_sessions_of ON operator_sessions (operator_id);
COMMENT ON TABLE operator_sessions IS 'Browsers in which operators are signed in to the console.';
COMMENT ON COLUMN operator_sessions.secret_hash IS 'SHA-256 of the 256 random bits in the cookie.';
COMMENT ON COLUMN operator_sessions.tokens_not_before IS
  'That of the operator when the session began. Whatever ends the tokens of the operator ends the session too.';
COMMENT ON COLUMN operator_sessions.awaits_code IS 'The password was right, and the second factor is still missing.';
COMMENT ON COLUMN operator_sessions.last_seen_at IS 'Written at most once in a minute.';

CREATE TABLE operator_views (
  view_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id  bigint NOT NULL REFERENCES operators,
  name         text NOT NULL CHECK (name ~ '\S' AND length(name) <= 60),
  path         text NOT NULL CHECK (path LIKE '/operator/%' AND length(path) <= 1000),
  is_shared    boolean NOT NULL
);
CREATE INDEX operator_views_of ON operator_views (operator_id);
CREATE INDEX operator_views_shared ON operator_views (view_id) WHERE is_shared;
COMMENT ON TABLE operator_views IS 'Lists with their filters under a name, for one operator or for all.';
COMMENT ON COLUMN operator_views.path IS 'As the API has it. It looks for no person.';
