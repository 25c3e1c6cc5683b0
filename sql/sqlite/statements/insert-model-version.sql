insert into model_versions (model, version, run_id, digest, metrics, lineage, created_at, created_by)
values (?, ?, ?, ?, ?, ?, ?, ?)
