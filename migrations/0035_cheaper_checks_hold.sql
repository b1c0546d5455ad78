-- The checks of the migration before hold for all rows. Reads and writes go on meanwhile.

ALTER TABLE ledger_postings VALIDATE CONSTRAINT account_is_well_formed;
ALTER TABLE ledger_postings VALIDATE CONSTRAINT ledger_postings_reference_check;
ALTER TABLE ledger_journals VALIDATE CONSTRAINT ledger_journals_event_check;
ALTER TABLE orders VALIDATE CONSTRAINT orders_order_id_check;
ALTER TABLE payments VALIDATE CONSTRAINT payments_payment_id_check;
ALTER TABLE payout_attempts VALIDATE CONSTRAINT payout_attempts_attempt_id_check;
