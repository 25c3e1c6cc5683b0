/** Installed plugins, and the programs their hooks ran. */
export const pluginStatements = {
  list: `
    select name, version, digest, source, guarded_events, is_enabled, time, actor from plugins order by name`,
  add: `
    insert into plugins (name, version, digest, source, guarded_events, is_enabled, time, actor)
    values (:name, :version, :digest, :source, :guarded_events, :is_enabled, :time, :actor)
    on conflict (name) do update set
      version = excluded.version, digest = excluded.digest, source = excluded.source,
      guarded_events = excluded.guarded_events, is_enabled = excluded.is_enabled,
      time = excluded.time, actor = excluded.actor`,
  switch: `update plugins set is_enabled = :is_enabled where name = :name`,
  remove: `delete from plugins where name = :name`,
  beginRun: `
    insert into plugin_shell_executions
      (time, plugin, hook, event, event_id, argv, digest, ending, exit_code, ms, bytes, denied_why)
    values (:time, :plugin, :hook, :event, :event_id, :argv, :digest, :ending, null, 0, 0, :denied_why)
    returning seq`,
  endRun: `
    update plugin_shell_executions set ending = :ending, exit_code = :exit_code, ms = :ms, bytes = :bytes
    where seq = :seq and ending = 'started'`,
  listRuns: `
    select seq, time, plugin, hook, event, event_id, argv, digest, ending, exit_code, ms, bytes, denied_why
    from plugin_shell_executions
    where seq < :before_seq
    order by seq desc
    limit :limit`,
  listRunsOf: `
    select seq, time, plugin, hook, event, event_id, argv, digest, ending, exit_code, ms, bytes, denied_why
    from plugin_shell_executions
    where plugin = :plugin and seq < :before_seq
    order by seq desc
    limit :limit`,
} as const;
