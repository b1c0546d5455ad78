-- The operators' desk: orders of all merchants by whatever an operator knows of them. What belongs to one merchant's id is
-- found by the primary keys; these are for texts that do not name their merchant. They are on expressions, so that the lists
-- of one merchant are never read through them: they would pass over the orders of all others.
CREATE INDEX orders_of_all_by_time ON orders (timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_state ON orders ((state || ''), timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_user ON orders ((user_id + 0), timezone('UTC', created_at), order_id);
CREATE INDEX orders_of_all_by_external_id ON orders ((external_order_id || '')) WHERE external_order_id IS NOT NULL;
CREATE INDEX orders_to_watch ON orders (updated_at, order_id)
  WHERE state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED', 'PAYOUT_SUBMITTED', 'PAYOUT_FAILED', 'RETURNED',
                  'REFUND_PENDING', 'REFUND_FAILED');
CREATE INDEX payments_by_bank_reference ON payments (bank_reference) WHERE order_id IS NOT NULL;
CREATE INDEX payout_reports_by_id ON payout_reports (report_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX events_of_subject ON events (merchant_id, subject, recorded_at);

CREATE TABLE operator_notes (
  merchant_id  bigint NOT NULL,
  order_id     text NOT NULL,
  number       integer NOT NULL CHECK (number > 0),
  operator_id  bigint NOT NULL,
  sealed_note  bytea NOT NULL,
  written_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (merchant_id, order_id, number),
  FOREIGN KEY (merchant_id, order_id) REFERENCES orders (merchant_id, order_id)
);
CREATE TRIGGER operator_notes_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE operator_notes IS 'What operators wrote about an order, sealed under the user''s retained key.';
