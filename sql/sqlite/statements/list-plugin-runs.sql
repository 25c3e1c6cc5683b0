select seq, time, plugin, hook, event, event_id, argv, digest, ending, exit_code, ms, bytes, denied_why
from plugin_shell_executions
where seq < :before_seq and (:plugin is null or plugin = :plugin)
order by seq desc
limit :limit
