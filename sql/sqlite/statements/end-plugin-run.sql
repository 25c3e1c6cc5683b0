update plugin_shell_executions set ending = ?, exit_code = ?, ms = ?, bytes = ?
where seq = ? and ending = 'started'
