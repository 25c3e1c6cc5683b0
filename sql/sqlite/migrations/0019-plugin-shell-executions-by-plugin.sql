create index plugin_shell_executions_by_plugin on plugin_shell_executions (plugin, seq)
