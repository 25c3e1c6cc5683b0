-- The signature of the approver's key a decision was made with, as JSON; null where none was asked for.
alter table approvals add column signature text
