insert into plugin_shell_executions
  (time, plugin, hook, event, event_id, argv, digest, ending, exit_code, ms, bytes, denied_why)
values (?, ?, ?, ?, ?, ?, ?, ?, null, 0, 0, ?)
returning seq
