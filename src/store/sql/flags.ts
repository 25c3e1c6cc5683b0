export const flagStatements = {
  list: `select name, is_on, time, actor from flags order by name`,
  set: `
    insert into flags (name, is_on, time, actor) values (:name, :is_on, :time, :actor)
    on conflict (name) do update set is_on = excluded.is_on, time = excluded.time, actor = excluded.actor`,
  unset: `delete from flags where name = :name`,
} as const;
