"""Makes the models of the tests: python3 make_models.py FOLDER. Small, and the same every time."""

import json
import os
import sys

import joblib
import numpy as np
import sklearn.base
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

folder = sys.argv[1]
random = np.random.default_rng(7)
X = random.random((400, 3))
y = (X[:, 0] + 0.3 * random.random(400) > 0.65).astype(int)


class Code:
    """Whatever is kept of it runs this when it is loaded, as any joblib file may."""

    def __init__(self, source):
        self.source = source

    def __reduce__(self):
        return eval, (self.source,)


def save(name, model):
    joblib.dump(model, os.path.join(folder, name))


forest = RandomForestClassifier(20, max_depth=4, random_state=7, n_jobs=2).fit(X, y)
save("forest.joblib", forest)


class Frame(np.ndarray):
    """As much of a table as scikit-learn looks at to learn the names of its columns."""

    columns = np.array(["amount", "hour", "customer.age"], dtype=object)


named = RandomForestClassifier(20, max_depth=4, random_state=7).fit(X.view(Frame), y)
save("fraud_v3.joblib", named)
save("logistic.pkl", LogisticRegression().fit(X, y))
save("names.joblib", RandomForestClassifier(5, random_state=7).fit(X, np.where(y == 1, "fraud", "ok")))
save("three.joblib", RandomForestClassifier(5, random_state=7).fit(X, y + (X[:, 1] > 0.5)))
save("linear.joblib", LinearRegression().fit(X, X @ [1.0, 10.0, 100.0] + 0.5))
save("margin.joblib", LinearSVC(random_state=7).fit(X, y))

words = np.array([["DE", 1.0], ["FR", 2.0], ["DE", 3.0], ["FR", 4.0]], dtype=object)
save(
    "words.joblib",
    make_pipeline(
        make_column_transformer((OneHotEncoder(), [0]), remainder="passthrough"), LinearRegression()
    ).fit(words, [10.0, 2.0, 10.0, 2.0]),
)

version = sklearn.base.__version__
sklearn.base.__version__ = "0.99.1"
save("old.joblib", LogisticRegression().fit(X, y))
sklearn.base.__version__ = version

# A model that answers n, and does what a record tells it to.
save(
    "obeys.joblib",
    Code(
        """(lambda os, time, np: type("Obedient", (), {
            "steps": [],
            "predict": lambda self, rows: np.array([
                {"throw": lambda: 1 // 0, "crash": os.abort, "stay": lambda: time.sleep(1e6),
                 "print": lambda: print("hello")}.get(row[1], lambda: None)() or float(row[0]) for row in rows]),
        })())(__import__("os"), __import__("time"), __import__("numpy"))"""
    ),
)
# One that leaves a mark where it is loaded, and another that calls somebody.
save("marks.joblib", Code("""__import__("pathlib").Path("loaded").write_text("x")"""))
save(
    "calls.joblib",
    Code(
        """(lambda os, socket: type("Caller", (), {
            "n_features_in_": 1,
            "predict": lambda self, rows: __import__("numpy").array([
                float(socket.socket().connect_ex(("127.0.0.1", int(row[0])))) for row in rows]),
        })())(__import__("os"), __import__("socket"))"""
    ),
)

# One that answers how many modules it finds that nobody has approved: one of the working directory, one of ours.
save(
    "looks.joblib",
    Code(
        """(lambda find: type("Looker", (), {
            "n_features_in_": 3,
            "predict": lambda self, rows: __import__("numpy").array([
                float(sum(find(name) is not None for name in ("beside", "custom_worker"))) for row in rows]),
        })())(__import__("importlib.util").util.find_spec)"""
    ),
)

# Two threads add up in whatever order they come.
forest.n_jobs = 1
rows = random.random((50, 3))
expected = {
    "rows": rows.tolist(),
    "forest": {"predict": forest.predict(rows).tolist(), "proba": forest.predict_proba(rows).tolist()},
}

with open(os.path.join(folder, "expected.json"), "w") as file:
    json.dump(expected, file)
