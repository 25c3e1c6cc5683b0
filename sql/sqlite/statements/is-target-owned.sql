select 1 as is_owned from delivery_targets where target = ? and owner = ?
