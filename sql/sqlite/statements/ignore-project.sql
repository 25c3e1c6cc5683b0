insert into ignored_projects (file, time, actor) values (?, ?, ?)
