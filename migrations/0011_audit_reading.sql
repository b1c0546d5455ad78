-- Operators read the audit log by subject, action and actor, newest first, and within a range of time.

CREATE INDEX audit_entries_of_subject ON audit_entries (subject, id);
CREATE INDEX audit_entries_of_action ON audit_entries (action, id);
CREATE INDEX audit_entries_of_actor ON audit_entries (actor_kind, actor_id, id);
CREATE INDEX audit_entries_by_time ON audit_entries USING brin (occurred_at);
