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

-- A request for approval ends when its operator is disabled, also if the operator is enabled again before anyone looks.
CREATE FUNCTION note_disabled_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.disabled_at := statement_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER operator_disabled_at BEFORE UPDATE ON operators FOR EACH ROW
  WHEN (NEW.status = 'disabled' AND OLD.status <> 'disabled') EXECUTE FUNCTION note_disabled_operator();
