# Two processes, 2,000 lines at a time. `python3 pool.py INPUT OUTPUT`
import itertools
import json
import sys
from multiprocessing import Pool


def work(lines):
    rows = []
    for line in lines:
        record = json.loads(line)
        rows.append(json.dumps({"record_id": record["record_id"], "output": record}))
    rows.append("")
    return "\n".join(rows)


def chunks(file):
    while lines := list(itertools.islice(file, 2000)):
        yield lines


if __name__ == "__main__":
    with open(sys.argv[1]) as source, open(sys.argv[2], "w") as target, Pool(2) as pool:
        for rows in pool.imap(work, chunks(source)):
            target.write(rows)
