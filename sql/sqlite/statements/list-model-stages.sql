select * from model_stages where :model is null or model = :model order by model, stage
