"""A live queue in Python: a machine reports submissions and ends, and the core says what starts. `python3 python/live.py`"""

import math

from gridalloc import Core

# Time in seconds, and a job: (processors, estimate) if it is submitted, its number if it ends.
REPORTS = [(0, (3, 3600)), (5, (4, 600)), (6, (1, 300)), (90, 0), (200, 2), (300, (2, 100)), (690, 1), (720, 3)]

core = Core()
core.open(100)
core.begin({'Capacity': [4], 'Speed': [1], 'Load': [1]}, Open=1, Discipline=2, Selection=1)
waiting = []
for time, report in REPORTS:
    if isinstance(report, tuple):
        processors, estimate = report
        # A runtime of NaN is unknown until `end_job` tells it.
        waiting.append(core.submit(Submit=time, Runtime=math.nan, Estimate=estimate, Processors=processors, Home=0))
    else:
        core.call_end_job(core.block, core.table, report, time)
    core.call_run_until(core.block, core.table, time)
    started = [job for job in waiting if core.column('Site')[job] >= 0]
    waiting = [job for job in waiting if job not in started]
    for job in started:
        print(f'job {job} starts at {time}')
core.call_close_run(core.block, core.table)
core.run()
print(f'mean wait {core.column("Metric")[core.number("metrics", "MeanWait")]:g}')
