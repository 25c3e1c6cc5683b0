select 1 as is_known from inbound_messages where source = ? and id = ?
