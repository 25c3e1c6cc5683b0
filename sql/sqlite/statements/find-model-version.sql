select * from model_versions where model = ? and version = ?
