select file, time, actor from ignored_projects where file = ?
