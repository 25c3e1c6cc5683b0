select hook_id, is_enabled, time, actor from hook_switches where hook_id = ?
