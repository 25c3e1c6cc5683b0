"""A worker that answers records by a model kept with joblib: scikit-learn's, or one with the same methods.

Loading such a file runs whatever code it holds. Whoever starts this has looked up that its bytes are approved; the
bytes that are loaded are checked against that once more, through the same open file.
"""

import base64
import hashlib
import importlib.util
import operator
import os
import re
import sys
import time
import warnings

# The package's folder is not ours to write into, and may not be writable.
sys.dont_write_bytecode, is_written = True, sys.dont_write_bytecode
import swarm_worker  # noqa: E402

sys.dont_write_bytecode = is_written

# Neither our own folder nor the working directory: what the file needs is installed, or it is not approved with it.
sys.path.pop(0)

UNLABELLED, UNKNOWN_LABEL = -1, -2
MAX_CURVE_CLASSES = 10
# Estimators whose predict is the class of the highest probability, so that one call does for both.
ARGMAX_MODULES = ("sklearn.ensemble._forest", "sklearn.tree._classes", "sklearn.neural_network._multilayer_perceptron")


def open_model(opening):
    config = opening["config"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = load(opening["copy"], opening["sha256"])
    # What it says about each chunk, that names were not given, say, would fill the log.
    warnings.simplefilter("ignore")
    told = [warning for warning in map(version_warning, caught) if warning is not None]
    for warning in told:
        print(warning, file=sys.stderr)
    set_threads(model, config.get("threads", 1))
    return ModelWork(model, config, told)


def load(path, sha256):
    import joblib

    with open(path, "rb") as file:
        digest = hashlib.sha256()
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
        if digest.hexdigest() != sha256:
            raise ValueError("the copy of the model is not what was approved")
        file.seek(0)
        return joblib.load(file)


def version_warning(caught):
    found = re.search(r"from version (\S+) when using version (\S+?)\.? ", str(caught.message) + " ")
    if found is None:
        return None
    return "the model was made with scikit-learn %s and is used with %s: what it answers may differ" % found.groups()


def set_threads(model, threads):
    """As many workers as were asked for share the machine: a model that takes all of it would only wait for itself."""
    try:
        names = [name for name in model.get_params() if name.split("__")[-1] == "n_jobs"]
        model.set_params(**{name: threads for name in names})
    except Exception:
        pass  # not of scikit-learn's kind


class Refused(Exception):
    """Why a record cannot be given to the model: its class and the message."""


class ModelWork:
    def __init__(self, model, config, told):
        import numpy

        if not has_method(model, "predict"):
            raise ValueError("the file holds a value of type %s, expected one with predict" % type(model).__name__)
        self.numpy = numpy
        self.model = model
        self.features = Features(model, config, numpy)
        self.label_field = config.get("label_field")
        final = final_estimator(model)
        classes = getattr(model, "classes_", None)
        is_single = classes is not None and not isinstance(classes, list) and getattr(classes, "ndim", 1) == 1
        self.task = config.get("task") or ("classification" if is_single else "regression")
        self.has_probabilities = self.task == "classification" and has_method(model, "predict_proba")
        self.has_decision = not self.has_probabilities and is_single and has_method(model, "decision_function")
        self.is_argmax = type(final).__module__ in ARGMAX_MODULES and self.has_probabilities and is_single
        self.classes = None
        if self.task == "classification" and is_single:
            self.know_classes(classes.tolist(), config)
        self.facts = {
            "model": {
                "estimator": type(final).__name__ if final is model else "%s(%s)" % (type(model).__name__, type(final).__name__),
                "features": self.features.count,
                "runtime": runtime_versions(),
            },
            "warnings": told,
            "rss_bytes": resident_bytes(),
            "has_converter": importlib.util.find_spec("skl2onnx") is not None,
        }

    def know_classes(self, classes, config):
        names = [class_name(one) for one in (config.get("classes") or classes)]
        positive = config.get("positive_class")
        self.texts = [swarm_worker.TO_TEXT.encode(one) for one in classes]
        self.is_turned = len(names) == 2 and positive is not None and names[0] == class_name(positive)
        self.classes = names[::-1] if self.is_turned else names
        self.places = {name: place for place, name in enumerate(self.classes)}
        # Where each class of the model stands among those of the metrics.
        self.order = self.numpy.array([len(names) - 1 - i if self.is_turned else i for i in range(len(classes))])
        self.model_places = {one: place for place, one in enumerate(classes)}

    def __call__(self, items, teller):
        readable = [item for item in items if item.problem is None]
        answers = {}
        rest = iter(items)
        for group in [[item] for item in readable] if teller.is_careful else [readable] if readable else []:
            tallies = []
            self.answer(group, answers, tallies)
            for item in rest:
                if item is group[-1]:
                    teller.count(tallies)
                self.tell(item, answers, teller)
                if item is group[-1]:
                    break
        for item in rest:
            self.tell(item, answers, teller)

    @staticmethod
    def tell(item, answers, teller):
        if item.problem is not None:
            teller.unreadable(item)
            return
        answer, latency_ms = answers.pop(item.line)
        if isinstance(answer, str):
            teller.text(item, answer, latency_ms)
        elif isinstance(answer, Refused):
            teller.failed(item, answer.args[0], answer.args[1], latency_ms)
        else:
            teller.output(item, answer, latency_ms)

    def answer(self, group, answers, tallies):
        """A call that fails is made again for each half, until what fails is one record."""
        started = time.perf_counter()
        taken, refused, matrix = self.features.matrix(group)
        try:
            texts, tally = self.predict(taken, matrix) if taken else ([], None)
        except Exception as error:
            if len(taken) > 1:
                middle = len(group) // 2
                self.answer(group[:middle], answers, tallies)
                self.answer(group[middle:], answers, tallies)
                return
            texts, tally = [error], None
        if tally is not None:
            tallies.append(tally)
        latency_ms = (time.perf_counter() - started) * 1000 / len(group)
        for item, problem in refused:
            answers[item.line] = (problem, latency_ms)
        for item, text in zip(taken, texts):
            answers[item.line] = (text, latency_ms)

    def predict(self, items, matrix):
        if self.classes is None:
            return self.predict_values(items, matrix)
        if self.has_probabilities:
            scores = self.model.predict_proba(matrix)
        elif self.has_decision:
            scores = self.model.decision_function(matrix)
        else:
            scores = None
        if self.is_argmax:
            predicted = scores.argmax(axis=1)
        else:
            answers = self.model.predict(matrix).tolist()
            predicted = self.numpy.array([self.model_places[one] for one in answers])
        texts = self.class_texts(predicted, scores)
        return texts, self.class_tally(items, predicted, scores)

    def class_texts(self, predicted, scores):
        labels = [self.texts[place] for place in predicted.tolist()]
        if scores is None:
            return ['{"prediction":%s}' % label for label in labels]
        key = "probabilities" if self.has_probabilities else "score"
        rows = zip(labels, scores.tolist())
        if self.numpy.isfinite(scores).all():
            return ['{"prediction":%s,"%s":%s}' % (label, key, row) for label, row in rows]
        return [
            '{"prediction":%s,"%s":%s}' % (label, key, row) if self.numpy.isfinite(row).all() else NOT_FINITE
            for label, row in rows
        ]

    def class_tally(self, items, predicted, scores):
        numpy = self.numpy
        own = numpy.full(len(items), UNLABELLED)
        if self.label_field is not None:
            own[:] = [self.label_of(item.record) for item in items]
        columns = self.columns(own, scores)
        kept = numpy.ones(len(items), bool)
        for column in columns:
            kept &= numpy.isfinite(column) | (own < 0)
        return {
            "task": "classification",
            "classes": self.classes,
            "scores": self.score_kind(scores),
            "labels": packed(own[kept].astype("<i2")),
            "predicted": packed(self.order[predicted][kept].astype("<i2")),
            "columns": [packed(column[kept].astype("<f8")) for column in columns],
        }

    def score_kind(self, scores):
        if scores is None or (scores.ndim == 2 and scores.shape[1] != len(self.classes)):
            return "none"
        if len(self.classes) == 2:
            return "binary"
        if scores.ndim != 2:
            return "none"
        return "per_class" if len(self.classes) <= MAX_CURVE_CLASSES else "true_class"

    def columns(self, own, scores):
        kind = self.score_kind(scores)
        if kind == "none":
            return []
        if kind == "binary":
            if scores.ndim == 1:
                return [-scores if self.is_turned else scores]
            return [scores[:, 0 if self.is_turned else 1]]
        if kind == "per_class":
            return [scores[:, place] for place in range(scores.shape[1])]
        known = self.numpy.where(own < 0, 0, own)
        column = scores[self.numpy.arange(len(own)), known] / scores.sum(axis=1)
        return [self.numpy.where(own < 0, 0.0, column)]

    def label_of(self, record):
        value = None if self.label_field is None else field_of(record, self.label_field)
        if value is None or value == "":
            return UNLABELLED
        place = self.places.get(class_name(value))
        if place is None and isinstance(value, bool):
            place = self.places.get(str(int(value)))
        return UNKNOWN_LABEL if place is None else place

    def predict_values(self, items, matrix):
        predicted = self.model.predict(matrix)
        rows = predicted.tolist()
        if predicted.ndim != 1 or predicted.dtype.kind not in "fiub":
            return [{"prediction": row} for row in rows], None
        numpy = self.numpy
        values = predicted.astype("<f8")
        finite = numpy.isfinite(values)
        texts = ['{"prediction":%s}' % row if good else NOT_FINITE for row, good in zip(rows, finite.tolist())]
        labels = numpy.array([self.value_of(item.record) for item in items], "<f8")
        return texts, {
            "task": "regression",
            "labels": packed(labels[finite]),
            "predicted": packed(values[finite]),
        }

    def value_of(self, record):
        value = None if self.label_field is None else field_of(record, self.label_field)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value if is_number else float("nan")


NOT_FINITE = Refused("invalid_output", "the model's answer is no finite number")


class Features:
    """What of a record is given to the model."""

    def __init__(self, model, config, numpy):
        self.numpy = numpy
        self.config = config
        self.missing = config.get("missing", "error")
        self.defaults = config.get("defaults", {})
        self.categories = {
            name: {text: place for place, text in enumerate(texts)}
            for name, texts in config.get("categories", {}).items()
        }
        self.vector_field = config.get("vector_field")
        named = getattr(model, "feature_names_in_", None)
        names = config.get("features")
        if isinstance(names, dict):
            raise ValueError("features: an object of inputs, expected a list: scikit-learn's models have one input")
        self.count = getattr(model, "n_features_in_", None if names is None else len(names))
        if names is None and self.vector_field is None:
            if named is None:
                raise ValueError(
                    "features: the model takes %s and does not name them, expected their fields in order, or vector_field"
                    % ("%d features" % self.count if self.count else "features")
                )
            names = named.tolist()
        if names is not None and self.count is not None and len(names) != self.count:
            raise ValueError("features: %d are named, expected the %d the model takes" % (len(names), self.count))
        self.names = names
        self.pick = operator.itemgetter(*names) if names and len(names) > 1 and not self.categories else None
        # A pipeline may pick columns by name and take texts; anything else takes numbers.
        self.takes_texts = any(hasattr(model, part) for part in ("steps", "transformers_", "best_estimator_"))
        self.pandas = None
        if self.takes_texts and named is not None and importlib.util.find_spec("pandas") is not None:
            import pandas

            self.pandas = pandas
            self.columns = named.tolist()

    def matrix(self, items):
        """Those that can be given, those that cannot with the reason, and the matrix of the first."""
        if self.pick is not None and self.pandas is None:
            try:
                # Without a type: texts and nothing stay what they are, so that they are noticed.
                matrix = self.numpy.array([self.pick(item.record) for item in items])
                if matrix.dtype.kind in "fiub":
                    return items, [], matrix
            except (KeyError, ValueError):
                pass  # a feature is missing somewhere: one by one, to tell where
        taken, refused, rows = [], [], []
        for item in items:
            try:
                rows.append(self.row(item.record))
                taken.append(item)
            except Refused as problem:
                refused.append((item, problem))
        if not taken:
            return taken, refused, None
        if self.pandas is not None:
            return taken, refused, self.pandas.DataFrame(rows, columns=self.columns)
        kind = object if any(isinstance(value, str) for row in rows for value in row) else float
        return taken, refused, self.numpy.array(rows, dtype=kind)

    def row(self, record):
        if self.names is not None:
            return [self.value(name, field_of(record, name)) for name in self.names]
        vector = field_of(record, self.vector_field)
        expected = "an array" if self.count is None else "an array of %d" % self.count
        if vector is None:
            raise Refused("missing_feature", "field %s is missing, expected %s" % (shown(self.vector_field), expected))
        if not isinstance(vector, list) or (self.count is not None and len(vector) != self.count):
            found = "has %d values" % len(vector) if isinstance(vector, list) else "is %s" % shown(vector)
            raise Refused("invalid_feature", "field %s %s, expected %s" % (shown(self.vector_field), found, expected))
        return [self.value("%s[%d]" % (self.vector_field, place), value) for place, value in enumerate(vector)]

    def value(self, name, value):
        if value is None:
            return self.absent(name, "is missing")
        known = self.categories.get(name)
        if known is not None and isinstance(value, str):
            place = known.get(value)
            return self.absent(name, "is %s, which is no known category" % shown(value)) if place is None else place
        if isinstance(value, (bool, int, float)) or (self.takes_texts and isinstance(value, str)):
            return value
        expected = "a number or a text" if self.takes_texts else "a number"
        raise Refused("invalid_feature", "feature %s is %s, expected %s" % (shown(name), shown(value), expected))

    def absent(self, name, why):
        if self.missing == "nan":
            return float("nan")
        if self.missing == "default":
            return self.defaults.get(name, 0)
        raise Refused("missing_feature", "feature %s %s" % (shown(name), why))


def field_of(record, name):
    """A field by its name; a.b is field b of a, unless the record has a field of just that name."""
    if name in record:
        return record[name]
    value = record
    for part in name.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def final_estimator(model):
    model = getattr(model, "best_estimator_", model)
    steps = getattr(model, "steps", None)
    return final_estimator(steps[-1][1]) if steps else model


def has_method(model, name):
    try:
        return callable(getattr(model, name, None))
    except Exception:
        return False


def class_name(value):
    """As JavaScript would write it: a label may have been written as 1, 1.0, true or "1"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def shown(value):
    text = swarm_worker.TO_ASCII.encode(value)
    return text if len(text) <= 80 else text[:80] + "…"


def packed(array):
    return base64.b64encode(array.tobytes()).decode("ascii")


def runtime_versions():
    versions = ["Python %s" % sys.version.split()[0]]
    for name, title in (("sklearn", "scikit-learn"), ("numpy", "numpy"), ("joblib", "joblib")):
        version = getattr(sys.modules.get(name), "__version__", None)
        if version is not None:
            versions.append("%s %s" % (title, version))
    return ", ".join(versions)


def resident_bytes():
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    swarm_worker.serve(open_model)
