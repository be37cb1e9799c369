"""The core of gridalloc from Python, through its native library (`npm run build:native`) and the description of its contract."""

import ctypes
import json
import math
import os

import numpy as np

ROOT = os.path.join(os.path.dirname(__file__), '..', 'node_modules', 'gridalloc')
LIBRARY = os.environ.get('GRIDALLOC_LIBRARY', os.path.join(ROOT, 'build', 'native'))
TYPES = {'address': ctypes.c_uint32, 'f64': ctypes.c_double}
ARRAYS = {'f64': np.float64, 'i32': np.int32}


class Core:
    """Jobs in the memory of a core, and runs of them, one after another. Columns are numpy arrays on that memory, without a copy."""

    def __init__(self):
        with open(os.path.join(ROOT, 'docs', 'abi.json')) as file:
            self.abi = json.load(file)
        self.library = ctypes.CDLL(os.path.join(LIBRARY, 'libgridalloc.so'))
        self.library.gridalloc_open.restype = self.library.gridalloc_at.restype = ctypes.c_void_p
        self.core = ctypes.c_void_p(self.library.gridalloc_open())
        for call in self.abi['calls']:
            snake = ''.join('_' + c.lower() if c.isupper() else c for c in call['name'])
            function = getattr(self.library, 'gridalloc_' + snake)
            function.argtypes = [ctypes.c_void_p] + [TYPES.get(p['type'], ctypes.c_int32) for p in call['parameters']]
            function.restype = TYPES.get(call['returns'], ctypes.c_int32)
            checked = call['returns'] == 'Status'
            setattr(self, 'call_' + snake, lambda *words, f=function, checked=checked: self.take(f(self.core, *words), checked))

    def number(self, kind, name):
        return next(each['number'] for each in self.abi[kind] if each['name'] == name)

    def take(self, result, is_status):
        status = next((s for s in self.abi['statuses'] if s['number'] == result), None) if is_status else None
        if status is not None and status['isRefusal']:
            raise ValueError(status['name'] + ': ' + status['meaning'])
        return result

    def reserve(self, address, size):
        if self.library.gridalloc_reserve(self.core, ctypes.c_uint64(int(address + size))) != 0:
            raise MemoryError
        return math.ceil((address + size) / 16) * 16

    def view(self, address, kind, count):
        place = self.library.gridalloc_at(self.core, ctypes.c_uint32(address))
        return np.ctypeslib.as_array(ctypes.cast(place, ctypes.POINTER(np.ctypeslib.as_ctypes_type(ARRAYS[kind]))), (count,))

    def jobs(self, **columns):
        self.count = len(columns['Submit'])
        self.table = self.reserve(self.call_first_address(), 0)
        self.block = self.reserve(self.table, self.call_arrange_jobs(0, self.count, 0))
        self.call_arrange_jobs(self.table, self.count, 0)
        for column in self.abi['jobColumns']:
            if column['name'] in columns:
                address = self.call_job_column_address(self.table, column['number'])
                self.view(address, column['type'], self.count)[:] = columns[column['name']]
        self.call_seal_jobs(self.table)

    def open(self, capacity):
        """A table for this many jobs, to which `submit` adds them one by one; runs of it begin with Open=1."""
        self.count = capacity
        self.submitted = 0
        self.table = self.reserve(self.call_first_address(), 0)
        self.block = self.reserve(self.table, self.call_arrange_jobs(0, capacity, 0))
        self.call_arrange_jobs(self.table, capacity, 0)
        self.call_append_jobs(self.table, 0)

    def submit(self, **values):
        """Adds a job, which the run takes over at once; returns its number. A job that is refused leaves the queue unchanged."""
        for column in self.abi['jobColumns']:
            if column['name'] in values:
                address = self.call_job_column_address(self.table, column['number'])
                self.view(address, column['type'], self.count)[self.submitted] = values[column['name']]
        self.call_append_jobs(self.table, 1)
        try:
            self.call_take_jobs(self.block, self.table)
        except Exception:
            self.call_withdraw_jobs(self.table)
            raise
        self.submitted += 1
        return self.submitted - 1

    def begin(self, sites, **options):
        self.reserve(self.block, 2048)  # Limit.HeadBytes
        self.call_prepare(self.block)
        for name, value in options.items():
            self.call_set_option(self.block, self.number('options', name), value)
        self.call_fit_room(self.block, self.count, len(sites['Capacity']), sum(sites['Capacity']))
        self.reserve(self.block, self.call_arrange(self.block))
        for name, values in sites.items():
            self.column(name)[:] = values
        self.call_begin(self.block, self.table)

    def run(self):
        while self.call_run_until(self.block, self.table, math.inf) == self.number('statuses', 'LogFull'):
            logs = [2 * int(self.call_room(self.block, self.number('rooms', name))) for name in ('Runs', 'Parts', 'Stops')]
            self.reserve(self.block, self.call_scalar(self.block, 0) + 8 * (logs[0] + logs[1]) + 32 * logs[2])
            self.call_extend_logs(self.block, *logs)
        self.call_measure(self.block, self.table)

    def column(self, name):
        column = next(each for each in self.abi['columns'] if each['name'] == name)
        lengths = {'Jobs': self.count, 'Sites': int(self.call_room(self.block, 1)), 'Metric': len(self.abi['metrics'])}
        return self.view(self.call_column_address(self.block, column['number']), column['type'], lengths[column['length']])
