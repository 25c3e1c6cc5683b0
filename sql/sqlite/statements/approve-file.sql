insert or replace into approved_files (sha256, path, bytes, time, actor)
values (?, ?, ?, ?, ?)
