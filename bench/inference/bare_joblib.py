"""The least that answers a file by a model of scikit-learn's: MODEL INPUT OUTPUT BATCH."""

import itertools
import json
import operator
import sys

import joblib
import numpy as np

model = joblib.load(sys.argv[1])
pick = operator.itemgetter(*("f%d" % index for index in range(30)))
with open(sys.argv[2]) as lines, open(sys.argv[3], "w") as rows:
    while True:
        records = [json.loads(line) for line in itertools.islice(lines, int(sys.argv[4]))]
        if not records:
            break
        scores = model.predict_proba(np.array([pick(record) for record in records]))
        labels = model.classes_[scores.argmax(axis=1)].tolist()
        rows.write(
            "".join(
                json.dumps({"record_id": record["record_id"], "output": {"prediction": label, "probabilities": row}})
                + "\n"
                for record, label, row in zip(records, labels, scores.tolist())
            )
        )
