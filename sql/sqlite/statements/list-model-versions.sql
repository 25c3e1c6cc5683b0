select * from model_versions where model = ? and version < ? order by version desc limit ?
