-- The bank: what it says about our accounts. Amounts are in minor units.

CREATE TABLE bank_lines (
  bank            text NOT NULL CHECK (char_length(bank) <= 64),
  currency        text NOT NULL,
  direction       text NOT NULL CHECK (direction IN ('debit', 'credit')),
  bank_reference  text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 140),
  record          text NOT NULL,
  recorded_at     timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT bank_line_is_recorded_once PRIMARY KEY (bank_reference, bank, currency, direction)
);
CREATE INDEX bank_lines_of_record ON bank_lines (record);
COMMENT ON TABLE bank_lines IS
  'Lines of bank statements that operators recorded by hand, each once over all merchants: a bank account has one name '
  'in the whole instance. A correction frees the line for what it belongs to.';
COMMENT ON COLUMN bank_lines.record IS 'What the line was recorded for, such as payout:att_1.';
