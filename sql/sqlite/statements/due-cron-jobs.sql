select * from cron_jobs where due_at is not null and due_at <= ? order by due_at limit ?
