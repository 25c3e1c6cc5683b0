select * from model_versions where model = ? and digest = ? order by version desc limit 1
