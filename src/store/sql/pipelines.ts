/** Runs of pipelines, their steps, and the versions of models they made. */
export const pipelineStatements = {
  listRuns: `
    select * from pipeline_runs
    where seq < :before_seq and (cast(:file as text) is null or file = :file)
    order by seq desc limit :limit`,
  listRunsOf: `
    select * from pipeline_runs
    where pipeline = :pipeline and seq < :before_seq and (cast(:file as text) is null or file = :file)
    order by seq desc limit :limit`,
  findRun: `select * from pipeline_runs where run_id = :run_id`,
  openRuns: `select * from pipeline_runs where status = 'running' order by seq`,
  runOfCause: `select * from pipeline_runs where cause = :cause order by seq desc limit 1`,
  runningRun: `select run_id from pipeline_runs where file = :file and pipeline = :pipeline and status = 'running'`,
  /** Nothing when another run of the pipeline is under way: the index of running ones says so. */
  insertRun: `
    insert into pipeline_runs (run_id, pipeline, file, folder, model, status, trigger, cause, actor, is_forced, owner,
      intent_id, data, version, started_at, ended_at, reason)
    values (:run_id, :pipeline, :file, :folder, :model, :status, :trigger, :cause, :actor, :is_forced, :owner,
      :intent_id, :data, :version, :started_at, :ended_at, :reason)
    on conflict do nothing`,
  resumeRun: `
    update pipeline_runs set status = 'running', owner = :owner, actor = :actor, intent_id = :intent_id,
      ended_at = null, reason = null
    where run_id = :run_id and status in ('failed', 'interrupted', 'cancelled') and not exists (
      select 1 from pipeline_runs as other
      where other.file = pipeline_runs.file and other.pipeline = pipeline_runs.pipeline and other.status = 'running'
    )`,
  saveSnapshot: `
    update pipeline_runs set data = :data where run_id = :run_id and owner = :owner and status = 'running'`,
  endRun: `
    update pipeline_runs set status = :status, ended_at = :ended_at, reason = :reason, version = :version
    where run_id = :run_id and owner = :owner and status = 'running'`,

  listSteps: `select * from pipeline_steps where run_id = :run_id order by seq`,
  completedStep: `
    select pipeline_steps.* from pipeline_steps join pipeline_runs using (run_id)
    where pipeline_steps.digest = :digest and pipeline_steps.step = :step and pipeline_steps.status = 'completed'
      and pipeline_runs.file = :file and pipeline_runs.pipeline = :pipeline
    order by pipeline_steps.seq desc limit 1`,
  saveStep: `
    insert into pipeline_steps (run_id, step, status, digest, tries, exit_code, reason, outputs, metrics, made_by,
      log_path, started_at, ended_at)
    select :run_id, :step, :status, :digest, cast(:tries as integer), cast(:exit_code as integer), :reason, :outputs,
      :metrics, :made_by, :log_path, :started_at, :ended_at
    where exists (select 1 from pipeline_runs where run_id = :run_id and owner = :owner and status = 'running')
    on conflict (run_id, step) do update set status = excluded.status, digest = excluded.digest,
      tries = excluded.tries, exit_code = excluded.exit_code, reason = excluded.reason, outputs = excluded.outputs,
      metrics = excluded.metrics, made_by = excluded.made_by, log_path = excluded.log_path,
      started_at = excluded.started_at, ended_at = excluded.ended_at`,
  /** Those that were at work when their run was ended. */
  endSteps: `
    update pipeline_steps set status = :status, ended_at = :ended_at, reason = coalesce(reason, :reason)
    where run_id = :run_id and status = 'running'`,

  /** Versions are numbered from 1 on and none is ever removed: the newest is how many there are. */
  listModels: `
    with recursive models (model) as (
      select min(model) from model_versions
      union all
      select (select min(model) from model_versions where model > models.model) from models where model is not null
    ),
    newest (model, version) as (
      select model, (select max(version) from model_versions as v where v.model = models.model) from models
    )
    select model, version as versions, version as latest, created_at
    from newest join model_versions using (model, version) order by model`,
  listVersions: `
    select * from model_versions where model = :model and version < :before order by version desc limit :limit`,
  findVersion: `select * from model_versions where model = :model and version = :version`,
  versionOfDigest: `
    select * from model_versions where model = :model and digest = :digest order by version desc limit 1`,
  lastVersion: `select coalesce(max(version), 0) as version from model_versions where model = :model`,
  insertVersion: `
    insert into model_versions (model, version, run_id, digest, metrics, lineage, created_at, created_by)
    values (:model, :version, :run_id, :digest, :metrics, :lineage, :created_at, :created_by)`,
  listStages: `
    select * from model_stages where cast(:model as text) is null or model = :model order by model, stage`,
  promote: `
    insert into model_stages (model, stage, version, promoted_at, promoted_by, approved_by, approval_id)
    select :model, :stage, cast(:version as integer), :promoted_at, :promoted_by, :approved_by, :approval_id
    where exists (select 1 from model_versions where model = :model and version = :version)
    on conflict (model, stage) do update set version = excluded.version, promoted_at = excluded.promoted_at,
      promoted_by = excluded.promoted_by, approved_by = excluded.approved_by, approval_id = excluded.approval_id`,
} as const;
