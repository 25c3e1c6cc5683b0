select sha256, path, bytes, time, actor
from approved_files
where sha256 = ?
