"""The same in Python, for a list of records at once: one output for each, in their order."""


def score_all(payments):
    return [score(payment) for payment in payments]


def score(payment):
    abroad = 0 if payment["country"] == payment["home_country"] else 0.4
    return {"risk": min(1, payment["amount"] / 10_000 + abroad)}
