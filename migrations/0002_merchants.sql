-- Who calls the API: merchants, their secrets, and the clocks that sandbox merchants may move.

CREATE TABLE merchants (
  merchant_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id          text NOT NULL UNIQUE CHECK (client_id ~ '^[a-z0-9][a-z0-9_-]{2,63}$'),
  name               text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  status             text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  allowed_origins    text[] NOT NULL DEFAULT '{}',
  redirect_urls      text[] NOT NULL DEFAULT '{}',
  branding           jsonb NOT NULL DEFAULT '{}',
  notify_senders     text NOT NULL DEFAULT 'none' CHECK (notify_senders IN ('none', 'email')),
  tokens_not_before  timestamptz NOT NULL DEFAULT '-infinity',
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX merchants_suspended ON merchants (merchant_id) WHERE status = 'suspended';
CREATE INDEX merchants_tokens_not_before ON merchants (tokens_not_before) WHERE tokens_not_before > '-infinity';
COMMENT ON TABLE merchants IS 'The API clients. Suspended ones keep their data and are answered 401.';
COMMENT ON COLUMN merchants.notify_senders IS 'Whether we tell senders by mail how their transfers stand.';

CREATE TABLE merchant_secrets (
  merchant_id  bigint NOT NULL REFERENCES merchants (merchant_id),
  secret_id    bigint GENERATED ALWAYS AS IDENTITY,
  secret_hash  bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  made_by      text NOT NULL CHECK (made_by IN ('operator', 'merchant')),
  name         text CHECK (char_length(name) BETWEEN 1 AND 80),
  scopes       text[] CHECK (cardinality(scopes) > 0),
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, secret_id),
  CONSTRAINT restricted_secret_has_name CHECK ((name IS NULL) = (scopes IS NULL))
);
COMMENT ON TABLE merchant_secrets IS
  'SHA-256 of each live client secret. A secret that the merchant replaces itself works on for at least seven days, so '
  'that nobody who has stolen one can lock the merchant out.';
COMMENT ON COLUMN merchant_secrets.scopes IS
  'Of a restricted secret: the scopes that its tokens can have. Null: all, and the right to make and end others.';

CREATE TABLE merchant_clocks (
  merchant_id  bigint PRIMARY KEY REFERENCES merchants (merchant_id),
  ahead        interval NOT NULL DEFAULT '0' CHECK (ahead >= interval '0'),
  stands_at    timestamptz,
  moved_by     text,
  moved_until  timestamptz,
  CONSTRAINT clock_is_moved_until_a_time CHECK ((moved_by IS NULL) = (moved_until IS NULL))
);
COMMENT ON TABLE merchant_clocks IS 'How far a sandbox merchant has moved its clock forward; no row means not at all.';
COMMENT ON COLUMN merchant_clocks.stands_at IS
  'While the clock is moved it stands at this time, so that what falls due is stamped with its own due time. Never '
  'later than the running time, which is real time plus ahead. Null: the clock runs.';
COMMENT ON COLUMN merchant_clocks.moved_by IS 'Who moves the clock now. Only one at a time does.';
COMMENT ON COLUMN merchant_clocks.moved_until IS
  'When the one who moves the clock is given up, in real time. A clock that was given up runs again.';

CREATE FUNCTION keep_clock_honest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.ahead < OLD.ahead THEN
    RAISE EXCEPTION 'a merchant clock only moves forward' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.ahead > interval '0' AND (SELECT mode FROM instance) IS DISTINCT FROM 'sandbox' THEN
    RAISE EXCEPTION 'a merchant clock moves in the sandbox only' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER merchant_clock_is_honest BEFORE INSERT OR UPDATE ON merchant_clocks
  FOR EACH ROW EXECUTE FUNCTION keep_clock_honest();

CREATE FUNCTION remesa_now(merchant bigint) RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL RESTRICTED AS $$
  SELECT least(clock_timestamp() + coalesce((SELECT ahead FROM merchant_clocks WHERE merchant_id = merchant), interval '0'),
               (SELECT stands_at FROM merchant_clocks WHERE merchant_id = merchant))
$$;
COMMENT ON FUNCTION remesa_now(bigint) IS 'The time by which everything of a merchant is judged valid, due or expired.';
