-- The key is the rule: one version stands for a model at a stage. Those before are in the record.
create table model_stages (
  model text not null,
  stage text not null,
  version integer not null,
  promoted_at text not null,
  promoted_by text not null,
  approved_by text,
  approval_id text,
  primary key (model, stage)
) strict, without rowid
