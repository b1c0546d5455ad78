-- The ledger: where the money is. Double entry, append-only, amounts in minor units, debit positive and credit
-- negative. An account is named by its kind, its currency and, for a bank account or a rail, its place: liability:EUR,
-- bank:EUR:main, settlement:MXN:manual. So a posting cannot have another currency than its account.

CREATE TABLE ledger_accounts (
  merchant_id  bigint NOT NULL CHECK (merchant_id >= 0),
  account      text NOT NULL CONSTRAINT account_is_well_formed CHECK (account ~
    '^((bank|settlement):[A-Z]{3}:[A-Za-z0-9._-]{1,64}|(payin|payout|refund|liability|frozen|suspense|fx|fee|margin|rounding|charges|interest|writeoff|fxresult|funding|transit|intermerchant):[A-Z]{3})$'),
  kind         text NOT NULL GENERATED ALWAYS AS (split_part(account, ':', 1)) STORED,
  currency     text NOT NULL GENERATED ALWAYS AS (split_part(account, ':', 2)) STORED,
  opened_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, account)
);
CREATE INDEX ledger_accounts_with_place ON ledger_accounts (account, merchant_id) WHERE kind IN ('bank', 'settlement');
COMMENT ON TABLE ledger_accounts IS
  'The accounts of each merchant, opened by the first posting on them. Merchant 0 is the instance.';
CREATE TRIGGER accounts_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE ledger_journals (
  merchant_id     bigint NOT NULL CHECK (merchant_id >= 0),
  journal_id      bigint NOT NULL CHECK (journal_id > 0),
  event           text NOT NULL CHECK (event ~ '^[a-z_]+$' AND octet_length(event) <= 40),
  reverses        bigint,
  reason          text CHECK (char_length(reason) BETWEEN 1 AND 500),
  postings_count  smallint NOT NULL CHECK (postings_count BETWEEN 2 AND 100),
  occurred_at     timestamptz NOT NULL CHECK (isfinite(occurred_at) AND occurred_at = date_trunc('milliseconds', occurred_at)),
  recorded_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  seal            bytea NOT NULL CHECK (octet_length(seal) = 32 + 8 * postings_count),
  number          bigint CHECK (number > 0),
  PRIMARY KEY (merchant_id, journal_id),
  UNIQUE (merchant_id, journal_id, postings_count),
  CONSTRAINT reversal_has_as_many_postings FOREIGN KEY (merchant_id, reverses, postings_count)
    REFERENCES ledger_journals (merchant_id, journal_id, postings_count),
  CONSTRAINT journal_reverses_another CHECK (reverses <> journal_id)
);
CREATE UNIQUE INDEX ledger_journals_number ON ledger_journals (merchant_id, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX ledger_journals_reversed_once ON ledger_journals (merchant_id, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX ledger_journals_unnumbered ON ledger_journals (merchant_id, journal_id) WHERE number IS NULL;
CREATE INDEX ledger_journals_by_time ON ledger_journals (merchant_id, occurred_at, journal_id);
COMMENT ON TABLE ledger_journals IS
  'One row for each event that moved money. Numbered with the change that wrote it, otherwise never changed.';
COMMENT ON COLUMN ledger_journals.reverses IS 'The journal whose postings this one negates.';
COMMENT ON COLUMN ledger_journals.occurred_at IS
  'By the merchant''s clock. It decides on statements and past balances.';
COMMENT ON COLUMN ledger_journals.recorded_at IS 'Real time.';
COMMENT ON COLUMN ledger_journals.seal IS
  'Proves that the service wrote the journal: a keyed hash over everything, then eight bytes for each posting.';
COMMENT ON COLUMN ledger_journals.number IS
  'The number in the merchant''s history, without gaps; NULL until it is given.';

CREATE FUNCTION refuse_unbalanced_journal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found integer;
  unbalanced text;
BEGIN
  SELECT count(*) INTO found FROM ledger_postings AS posting
   WHERE posting.merchant_id = NEW.merchant_id AND posting.journal_id = NEW.journal_id;
  IF found <> NEW.postings_count THEN
    RAISE EXCEPTION 'journal % has % postings instead of %', NEW.journal_id, found, NEW.postings_count
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_has_all_postings';
  END IF;
  SELECT min(split_part(posting.account, ':', 2)) INTO unbalanced FROM ledger_postings AS posting
   WHERE posting.merchant_id = NEW.merchant_id AND posting.journal_id = NEW.journal_id
   GROUP BY split_part(posting.account, ':', 2) HAVING sum(posting.amount_minor) <> 0 LIMIT 1;
  IF unbalanced IS NOT NULL THEN
    RAISE EXCEPTION 'journal % does not sum to zero in %', NEW.journal_id, unbalanced
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_sums_to_zero';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER journal_is_balanced AFTER INSERT ON ledger_journals
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_unbalanced_journal();

CREATE FUNCTION refuse_inexact_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  negated integer;
BEGIN
  SELECT count(*) INTO negated
    FROM ledger_postings AS posting
    JOIN ledger_postings AS original ON original.merchant_id = posting.merchant_id
     AND original.position = posting.position AND original.account = posting.account
     AND original.amount_minor = -posting.amount_minor AND original.reference IS NOT DISTINCT FROM posting.reference
   WHERE posting.merchant_id = NEW.merchant_id AND original.merchant_id = NEW.merchant_id
     AND posting.journal_id = NEW.journal_id AND original.journal_id = NEW.reverses;
  IF negated <> NEW.postings_count THEN
    RAISE EXCEPTION 'journal % does not negate journal %', NEW.journal_id, NEW.reverses
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_is_exact';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER reversal_is_exact AFTER INSERT ON ledger_journals
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.reverses IS NOT NULL) EXECUTE FUNCTION refuse_inexact_reversal();

CREATE FUNCTION number_journal_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.number IS NOT NULL OR NEW.number IS NULL
     OR (to_jsonb(NEW) - 'number') IS DISTINCT FROM (to_jsonb(OLD) - 'number') THEN
    RAISE EXCEPTION 'a journal is numbered once and otherwise never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER journal_is_numbered_once BEFORE UPDATE ON ledger_journals
  FOR EACH ROW EXECUTE FUNCTION number_journal_once();
CREATE TRIGGER new_journal_has_no_number BEFORE INSERT ON ledger_journals
  FOR EACH ROW WHEN (NEW.number IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journals_are_kept BEFORE DELETE OR TRUNCATE ON ledger_journals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The positions of a journal run from 1 to its postings_count, and at its commit each is taken. So nothing can be added
-- later. PostgreSQL works out a pattern with a counted repetition, such as {1,60}, character by character for every
-- row: account and reference of one posting took 41 µs, and take 7 µs with the lengths compared by themselves.
CREATE TABLE ledger_postings (
  merchant_id     bigint NOT NULL,
  journal_id      bigint NOT NULL,
  position        smallint NOT NULL,
  postings_count  smallint NOT NULL,
  account         text NOT NULL CONSTRAINT account_is_well_formed CHECK (
    account ~ '^[a-z]+:[A-Z]{3}(:[A-Za-z0-9._-]+)?$' AND octet_length(split_part(account, ':', 3)) <= 64
    AND CASE WHEN split_part(account, ':', 3) = ''
      THEN split_part(account, ':', 1) IN ('payin', 'payout', 'refund', 'liability', 'frozen', 'suspense', 'fx', 'fee',
             'margin', 'rounding', 'charges', 'interest', 'writeoff', 'fxresult', 'funding', 'transit', 'intermerchant')
      ELSE split_part(account, ':', 1) IN ('bank', 'settlement') END),
  amount_minor    bigint NOT NULL CHECK (amount_minor <> 0 AND amount_minor BETWEEN -1000000000000000 AND 1000000000000000),
  reference       text CHECK (
    reference ~ '^[a-z]{2,4}_[0-9A-Za-z-]+$' AND octet_length(reference) - position('_' IN reference) <= 60),
  PRIMARY KEY (merchant_id, journal_id, position),
  FOREIGN KEY (merchant_id, journal_id, postings_count)
    REFERENCES ledger_journals (merchant_id, journal_id, postings_count),
  CONSTRAINT position_is_within_journal CHECK (position BETWEEN 1 AND postings_count),
  CONSTRAINT customer_money_has_reference CHECK (reference IS NOT NULL
    OR split_part(account, ':', 1) NOT IN ('liability', 'payin', 'payout', 'refund', 'frozen', 'suspense'))
);
CREATE INDEX ledger_postings_of_reference ON ledger_postings (merchant_id, reference) WHERE reference IS NOT NULL;
COMMENT ON TABLE ledger_postings IS 'The debits (positive) and credits (negative) of each journal.';
COMMENT ON COLUMN ledger_postings.postings_count IS 'The same as in the journal: no position is free after the commit.';
COMMENT ON COLUMN ledger_postings.reference IS
  'The order, the suspense record or the movement that the posting is about.';
CREATE TRIGGER postings_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE ledgers (
  merchant_id        bigint PRIMARY KEY CHECK (merchant_id >= 0),
  number             bigint NOT NULL DEFAULT 0,
  totals_number      bigint NOT NULL DEFAULT 0,
  verified_number    bigint NOT NULL DEFAULT 0,
  verified_change    bigint NOT NULL DEFAULT 0,
  verified_hash      bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  verified_totals    bigint NOT NULL DEFAULT 0,
  verified_at        timestamptz,
  fully_verified_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  fault              text,
  fault_at           timestamptz,
  CONSTRAINT totals_are_within_ledger CHECK (totals_number BETWEEN 0 AND number),
  CONSTRAINT verification_is_within_ledger CHECK (verified_number BETWEEN 0 AND number),
  CONSTRAINT verified_totals_are_within_totals CHECK (verified_totals BETWEEN 0 AND totals_number),
  CONSTRAINT fault_has_time CHECK ((fault IS NULL) = (fault_at IS NULL))
);
CREATE INDEX ledgers_to_verify ON ledgers (merchant_id)
  WHERE verified_number < number OR verified_totals < totals_number OR fault IS NOT NULL;
CREATE INDEX ledgers_with_fault ON ledgers (fault_at, merchant_id) WHERE fault IS NOT NULL;
-- The ledger of the instance is there from the start: pay-in accounts and corridors are verified with it every day.
INSERT INTO ledgers (merchant_id) VALUES (0);
COMMENT ON TABLE ledgers IS
  'The last number of each merchant, and how far totals and verification have come. No order waits for it.';
COMMENT ON COLUMN ledgers.totals_number IS 'ledger_totals cover the journals up to this number.';
COMMENT ON COLUMN ledgers.verified_number IS
  'So many journals were verified: those of the changes up to verified_change, which has the hash verified_hash.';
COMMENT ON COLUMN ledgers.verified_totals IS 'The totals were compared with the journals up to this number.';
COMMENT ON COLUMN ledgers.verified_at IS 'When a verification last found nothing wrong.';
COMMENT ON COLUMN ledgers.fully_verified_at IS 'When the whole history was last verified, from its first journal.';
COMMENT ON COLUMN ledgers.fault IS 'What verification found. Stops new orders, payouts and refunds of the merchant.';

CREATE TABLE ledger_totals (
  merchant_id   bigint NOT NULL,
  period        text NOT NULL CHECK (period IN ('hour', 'day', 'month')),
  starts_at     timestamptz NOT NULL,
  account       text NOT NULL,
  amount_minor  numeric(40, 0) NOT NULL,
  PRIMARY KEY (merchant_id, period, starts_at, account)
);
COMMENT ON TABLE ledger_totals IS
  'The snapshot behind every balance: sums by account and hour, day and month (UTC) of occurred_at, over the '
  'journals up to ledgers.totals_number.';
