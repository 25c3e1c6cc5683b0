select coalesce(max(version), 0) as version from model_versions where model = ?
