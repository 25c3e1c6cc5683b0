select file, time, actor from ignored_projects order by file
