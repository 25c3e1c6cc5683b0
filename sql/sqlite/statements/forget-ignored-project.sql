delete from ignored_projects where file = ?
