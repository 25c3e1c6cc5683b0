delete from approved_files
where sha256 = ?
