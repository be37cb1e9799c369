"""The same runs in Python: `python3 python/cases.py`."""

from gridalloc import Core

SITES = {'Capacity': [32, 64, 48], 'Speed': [1, 1.5, 0.7], 'Load': [1.5, 1, 2]}
CASES = {
    'best-fit': {},
    'ti': {'Policy': 6, 'Parameter0': 0.05, 'Parameter1': 2},
    'ai2': {'Policy': 8},
    'easy': {'Discipline': 2, 'Selection': 1, 'MultiSiteFactor': 1.1},
    'load sharing': {'Topology': 1, 'Reclaim': 1},
    'splits': {'Topology': 1, 'MultiSite': 3, 'MultiSiteOverhead': 0.1},
    'moldable': {'Moldable': 1, 'MoldableThreshold': 1.5, 'SpeedupA': 20, 'SpeedupSigma': 1.2},
}


def draws():
    state = 1
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state >> 8


def jobs(count):
    source, submit = draws(), 0
    columns = {name: [] for name in ('Submit', 'Runtime', 'Estimate', 'Processors', 'Home')}
    for _ in range(count):
        submit += next(source) % 200
        runtime = 1 + next(source) % 3000
        for name, value in zip(columns, (submit, runtime, runtime * (1 + next(source) % 3), 1 << next(source) % 6, next(source) % 3)):
            columns[name].append(value)
    return columns


def digest(columns):
    value = 1
    for column in columns:
        for byte in column.tobytes():
            value = (value * 65537 + byte) % 2147483647
    return value


core = Core()
core.jobs(**jobs(2000))
for name, options in CASES.items():
    core.begin(SITES, **options)
    core.run()
    print(name, digest(core.column(each) for each in ('Start', 'Execution', 'Site', 'Metric')))
