/** What of projects was approved, and which of them are ignored. */
export const trustStatements = {
  listHooks: `
    select file, hook_id, name, is_guard, digest, definition, files, time, actor
    from trusted_hooks order by file, hook_id`,
  listIgnored: `select file, time, actor from ignored_projects order by file`,
  trustHook: `
    insert into trusted_hooks (file, hook_id, name, digest, definition, files, time, actor, is_guard)
    values (:file, :hook_id, :name, :digest, :definition, :files, :time, :actor, :is_guard)`,
  ignoreProject: `insert into ignored_projects (file, time, actor) values (:file, :time, :actor)`,
  forgetHooks: `delete from trusted_hooks where file = :file`,
  forgetIgnored: `delete from ignored_projects where file = :file`,
} as const;

/** Files that were approved by their bytes. */
export const fileTrustStatements = {
  list: `select sha256, path, bytes, time, actor from approved_files order by path, time desc, sha256`,
  find: `select sha256, path, bytes, time, actor from approved_files where sha256 = :sha256`,
  approve: `
    insert into approved_files (sha256, path, bytes, time, actor) values (:sha256, :path, :bytes, :time, :actor)
    on conflict (sha256) do update set path = excluded.path, bytes = excluded.bytes, time = excluded.time,
      actor = excluded.actor`,
  revoke: `delete from approved_files where sha256 = :sha256`,
} as const;
