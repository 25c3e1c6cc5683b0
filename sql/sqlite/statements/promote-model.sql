insert into model_stages (model, stage, version, promoted_at, promoted_by, approved_by, approval_id)
select ?, ?, ?, ?, ?, ?, ?
where exists (select 1 from model_versions where model = ? and version = ?)
on conflict (model, stage) do update set version = excluded.version, promoted_at = excluded.promoted_at,
  promoted_by = excluded.promoted_by, approved_by = excluded.approved_by, approval_id = excluded.approval_id
