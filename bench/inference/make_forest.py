"""A random forest of 100 trees over 30 features, kept with joblib: OUTPUT."""

import sys

import joblib
import numpy as np
from sklearn.ensemble import RandomForestClassifier

random = np.random.default_rng(7)
X = random.random((4000, 30))
y = (X[:, 0] + X[:, 1] + random.random(4000) > 1.5).astype(int)
joblib.dump(RandomForestClassifier(100, max_depth=10, random_state=7).fit(X, y), sys.argv[1])
