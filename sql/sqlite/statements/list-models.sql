select model, count(*) as versions, max(version) as latest, max(created_at) as created_at
from model_versions group by model order by model
