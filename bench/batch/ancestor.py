# The shape of the batch runners this one follows: each row is synced, and every ten records the checkpoint, a list of all ids
# that are done, takes the place of the one before. `python3 ancestor.py INPUT OUTPUT CHECKPOINT`
import json
import os
import sys

source, to, checkpoint = sys.argv[1:]
done = []
with open(source) as lines, open(to, "w") as results:
    for line in lines:
        record = json.loads(line)
        results.write(json.dumps({"record_id": record["record_id"], "output": record}) + "\n")
        results.flush()
        os.fsync(results.fileno())
        done.append(record["record_id"])
        if len(done) % 10 == 0:
            with open(f"{checkpoint}.new", "w") as file:
                json.dump({"done": done}, file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            os.replace(f"{checkpoint}.new", checkpoint)
