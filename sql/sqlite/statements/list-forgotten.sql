select kind, id, input, intent_id from forgotten order by seq
