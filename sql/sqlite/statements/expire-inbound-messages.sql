delete from inbound_messages where received_at_ms < ?
