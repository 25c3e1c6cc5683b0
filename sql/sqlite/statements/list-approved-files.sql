select sha256, path, bytes, time, actor
from approved_files
order by path, time desc, sha256
