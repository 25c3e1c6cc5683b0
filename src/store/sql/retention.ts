/** What was forgotten. Without those that find what is due: they are given a list, and read JSON. */
export const retentionStatements = {
  namedChecks: `select distinct check_id from drift_marks`,
  listForgotten: `select kind, id, input, intent_id from forgotten order by seq`,
  insertForgotten: `
    insert into forgotten (kind, id, input, intent_id) values (:kind, :id, :input, :intent_id)
    on conflict (kind, id) do nothing`,
  filesRemoved: `delete from forgotten where intent_id = :intent_id`,
  removeBatchRun: `delete from batch_runs where run_id = :run_id and state not in ('running', 'waiting_approval')`,
  removePipelineSteps: `delete from pipeline_steps where run_id = :run_id`,
  removePipelineRun: `delete from pipeline_runs where run_id = :run_id`,
} as const;
