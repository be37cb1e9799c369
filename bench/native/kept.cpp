// Conservative backfilling with kept reservations on one machine, with the data structures of the core: free processors
// over time as steps in blocks; upper bounds of how long processors are free, in a tree for each class of widths; a heap
// of reserved starts; a bitmap of waiting jobs; running jobs in a sorted array. Expects that no job runs longer than
// estimated, and that adding a length to a time loses nothing in rounding.
#include "machine.hpp"

#include <cstring>

namespace {

const int32_t MAX_STEPS = 32, HALF_STEPS = 16;

// At most 32 steps of free processors: times, and numbers of processors without the block's `added`.
struct Steps {
  double times[MAX_STEPS];
  int32_t numbers[MAX_STEPS];
};

// A block of steps: `added` belongs to each of its numbers; least and most free processors; index of its steps.
struct Block {
  double time;
  int32_t added, least, most, count, place;
};

// Free processors over future time (assembly/planning/freeSteps.ts, plan.ts).
class Plan {
public:
  Plan(size_t steps, int32_t free) : before(free), directory(steps / HALF_STEPS + 2), steps(steps / HALF_STEPS + 2) {}

  int32_t before;
  int32_t blocks = 0;
  int32_t foundBlock = 0, foundStep = 0;

  const Block &blockAt(int32_t index) const { return directory[index]; }
  const Steps &stepsOf(const Block &block) const { return steps[block.place]; }
  double lastTime() const { return stepsOf(directory[blocks - 1]).times[directory[blocks - 1].count - 1]; }

  // Finds the last step not later than a time; step -1 of the first block if all are later.
  void find(double time) {
    int32_t low = 0, high = blocks;
    while (low < high) {
      const int32_t middle = (low + high) >> 1;
      if (directory[middle].time <= time) low = middle + 1;
      else high = middle;
    }
    foundBlock = std::max(0, low - 1);
    foundStep = -1;
    if (low == 0) return;
    const Block &block = directory[foundBlock];
    const double *times = stepsOf(block).times;
    int32_t step = 1;
    while (step < block.count && times[step] <= time) step++;
    foundStep = step - 1;
  }

  int32_t freeThere() const {
    if (foundStep < 0) return before;
    const Block &block = directory[foundBlock];
    return stepsOf(block).numbers[foundStep] + block.added;
  }

  void takeBetween(int32_t processors, double time, double end) {
    make(end);
    make(time);
    take(processors, end);
  }

  void giveBetween(int32_t processors, double time, double end) {
    takeBetween(-processors, time, end);
    dropIfNone(end);
    dropIfNone(time);
  }

  // Removes the steps up to a time.
  void advance(double time) {
    find(time);
    if (foundStep < 0) return;
    before = freeThere();
    const int32_t behind = directory[foundBlock].count - foundStep - 1;
    for (int32_t gone = foundBlock + (behind == 0); gone > 0; gone--) remove(0);
    if (behind == 0) return;
    Block &block = directory[0];
    erase(block, 0, foundStep + 1);
    block.time = stepsOf(block).times[0];
    bound(block);
  }

  // Returns the begin of the period right before `time`, but not earlier than `from`, in which at least that many
  // processors are free; `time` if there is none.
  double freeSince(int32_t processors, double time, double from) {
    find(time);
    int32_t step = foundStep;
    double since = time;
    for (int32_t index = foundBlock; index >= 0 && blocks > 0; index--) {
      const Block &block = directory[index];
      if (index < foundBlock) step = block.count - 1;
      const Steps &blockSteps = stepsOf(block);
      for (; step >= 0; step--) {
        if (blockSteps.times[step] >= time) continue;
        if (blockSteps.numbers[step] < processors - block.added) return since;
        since = blockSteps.times[step];
        if (since <= from) return from;
      }
    }
    return before >= processors ? from : since;
  }

  int32_t leastFree(double time, double end) {
    find(time);
    int32_t least = freeThere();
    int32_t step = foundStep + 1;
    for (int32_t index = foundBlock; index < blocks; index++, step = 0) {
      const Block &block = directory[index];
      if (block.time >= end) return least;
      if (step == 0 && block.least >= least) continue;
      const Steps &blockSteps = stepsOf(block);
      for (; step < block.count; step++) {
        if (blockSteps.times[step] >= end) return least;
        least = std::min(least, blockSteps.numbers[step] + block.added);
      }
    }
    return least;
  }

  int32_t beginWalk(double time) {
    find(time);
    walkBlock = foundBlock;
    walkStep = foundStep;
    return freeThere();
  }

  double walkToEnough(int32_t processors, double last) {
    int32_t step = walkStep + 1;
    for (int32_t index = walkBlock; index < blocks; index++, step = 0) {
      const Block &block = directory[index];
      if (block.time > last) return INF;
      if (block.most < processors) continue;
      const Steps &blockSteps = stepsOf(block);
      while (step < block.count && blockSteps.numbers[step] < processors - block.added) step++;
      if (step < block.count) return stopAt(blockSteps, index, step);
    }
    return INF;
  }

  double walkToFewer(int32_t processors, double end) {
    int32_t step = walkStep + 1;
    for (int32_t index = walkBlock; index < blocks; index++, step = 0) {
      const Block &block = directory[index];
      if (block.time >= end) return INF;
      if (block.least >= processors) continue;
      const Steps &blockSteps = stepsOf(block);
      while (step < block.count && blockSteps.numbers[step] >= processors - block.added) step++;
      if (step == block.count) continue;
      const double time = stopAt(blockSteps, index, step);
      return time < end ? time : INF;
    }
    return INF;
  }

private:
  std::vector<Block> directory;
  std::vector<Steps> steps;
  int32_t places = 0, walkBlock = 0, walkStep = 0;

  double stopAt(const Steps &blockSteps, int32_t index, int32_t step) {
    walkBlock = index;
    walkStep = step;
    return blockSteps.times[step];
  }

  void make(double time) {
    find(time);
    if (foundStep >= 0 && stepsOf(directory[foundBlock]).times[foundStep] == time) return;
    const int32_t free = freeThere();
    if (foundBlock == blocks) insert(foundBlock, time);
    else if (directory[foundBlock].count == MAX_STEPS) split();
    Block &block = directory[foundBlock];
    Steps &blockSteps = steps[block.place];
    const int32_t behind = block.count++ - ++foundStep;
    memmove(blockSteps.times + foundStep + 1, blockSteps.times + foundStep, behind * sizeof(double));
    memmove(blockSteps.numbers + foundStep + 1, blockSteps.numbers + foundStep, behind * sizeof(int32_t));
    blockSteps.times[foundStep] = time;
    blockSteps.numbers[foundStep] = free - block.added;
    if (foundStep > 0) return;
    block.time = time;
    block.least = std::min(block.least, free);
    block.most = std::max(block.most, free);
  }

  void insert(int32_t index, double time) {
    const int32_t place = blocks < places ? directory[blocks].place : places++;
    memmove(&directory[index + 1], &directory[index], (blocks++ - index) * sizeof(Block));
    directory[index] = {time, 0, INT32_MAX, INT32_MIN, 0, place};
  }

  void split() {
    insert(foundBlock + 1, stepsOf(directory[foundBlock]).times[HALF_STEPS]);
    Block &block = directory[foundBlock], &half = directory[foundBlock + 1];
    memcpy(steps[half.place].times, stepsOf(block).times + HALF_STEPS, HALF_STEPS * sizeof(double));
    memcpy(steps[half.place].numbers, stepsOf(block).numbers + HALF_STEPS, HALF_STEPS * sizeof(int32_t));
    half.added = block.added;
    half.count = block.count = HALF_STEPS;
    bound(block);
    bound(half);
    if (foundStep < HALF_STEPS) return;
    foundBlock++;
    foundStep -= HALF_STEPS;
  }

  void bound(Block &block) {
    const int32_t *numbers = stepsOf(block).numbers;
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (int32_t step = 0; step < block.count; step++) {
      least = std::min(least, numbers[step]);
      most = std::max(most, numbers[step]);
    }
    block.least = least + block.added;
    block.most = most + block.added;
  }

  void take(int32_t processors, double end) {
    int32_t step = foundStep;
    for (int32_t index = foundBlock; index < blocks; index++, step = 0) {
      Block &block = directory[index];
      if (block.time >= end) return;
      if (step == 0 && index + 1 < blocks && directory[index + 1].time <= end) {
        block.added -= processors;
        block.least -= processors;
        block.most -= processors;
        continue;
      }
      Steps &blockSteps = steps[block.place];
      for (; step < block.count && blockSteps.times[step] < end; step++) blockSteps.numbers[step] -= processors;
      bound(block);
      if (step < block.count) return;
    }
  }

  // Removes the steps [from, to) of a block.
  void erase(Block &block, int32_t from, int32_t to) {
    Steps &blockSteps = steps[block.place];
    const int32_t behind = block.count - to;
    memmove(blockSteps.times + from, blockSteps.times + to, behind * sizeof(double));
    memmove(blockSteps.numbers + from, blockSteps.numbers + to, behind * sizeof(int32_t));
    block.count = from + behind;
  }

  void dropIfNone(double time) {
    find(time);
    const int32_t index = foundBlock, step = foundStep--;
    Block &block = directory[index];
    const int32_t free = stepsOf(block).numbers[step] + block.added;
    if (step == 0 && index > 0) {
      foundBlock--;
      foundStep = directory[foundBlock].count - 1;
    }
    if (freeThere() != free) return;
    erase(block, step, step + 1);
    if (block.count == 0) return remove(index);
    if (step == 0) {
      block.time = stepsOf(block).times[0];
      bound(block);
    }
    if (index + 1 < blocks) joinIfFew(index);
    if (index > 0) joinIfFew(index - 1);
  }

  void joinIfFew(int32_t index) {
    Block &block = directory[index];
    const Block &next = directory[index + 1];
    if (block.count + next.count > HALF_STEPS) return;
    Steps &blockSteps = steps[block.place];
    const Steps &others = stepsOf(next);
    for (int32_t step = 0; step < next.count; step++) {
      blockSteps.times[block.count + step] = others.times[step];
      blockSteps.numbers[block.count + step] = others.numbers[step] + next.added - block.added;
    }
    block.count += next.count;
    block.least = std::min(block.least, next.least);
    block.most = std::max(block.most, next.most);
    remove(index + 1);
  }

  void remove(int32_t index) {
    const int32_t place = directory[index].place;
    memmove(&directory[index], &directory[index + 1], (--blocks - index) * sizeof(Block));
    directory[blocks].place = place;
  }
};

int32_t log2Of(uint32_t value) { return 31 - __builtin_clz(value); }

// Class of a number of processors; each octave, from a power of two to the next, has two classes.
int32_t classOf(int32_t processors) {
  if (processors < 2) return std::max(0, processors);
  const int32_t octave = log2Of(processors);
  return 2 * octave + ((processors >> (octave - 1)) & 1);
}

// True for the smallest number of processors of a class.
bool isSmallestOfClass(int32_t processors) {
  return processors < 2 || (processors & ((1 << (log2Of(processors) - 1)) - 1)) == 0;
}

// Upper bounds of how long processors are free without a break, by slices of time and classes of widths.
class RunBounds {
public:
  RunBounds(Plan &plan, int64_t jobs, int32_t processors) : plan(plan), rows(classOf(processors)), begins(rows) {
    while (8 * most < jobs && entriesOf(2 * most) <= 64 * jobs) most *= 2;
    if (entriesOf(most) > 64 * jobs) most = 0;
    bounds.resize(most == 0 ? 0 : 3 * rows * most);
  }

  double sliceBegin = 0, sliceEnd = 0;

  // Returns false if bounds are not kept now; the plan must have been advanced to `now`.
  bool areKept(double now) {
    if (most == 0) return false;
    if (plan.blocks < (slices == 0 ? 12 : 6)) {
      slices = 0;
      return false;
    }
    const double last = plan.lastTime();
    if (slices == 0 || now > until || last > lastStep) begin(now, last);
    return slices > 0;
  }

  bool first(double now, int32_t processors, double length) {
    tree = treeOf(classOf(processors) - 1);
    return findFrom(sliceOf(now), length);
  }

  bool next(double length) { return slice + 1 < slices && findFrom(slice + 1, length); }

  bool isLastEnd(double time) const { return time == sliceEnd; }

  // Lowers the bound of the slice found last: no period of free processors that touches it is longer than `length`.
  void lower(int32_t processors, double length) {
    if (!isSmallestOfClass(processors)) return;
    int32_t node = slice + slices;
    tree[node] = std::min(tree[node], length);
    for (node >>= 1; node > 0; node >>= 1) {
      const double bound = std::max(tree[2 * node], tree[2 * node + 1]);
      if (bound == tree[node]) return;
      tree[node] = bound;
    }
  }

  // Raises the bounds after processors have become free between two times; the plan already contains them.
  void freed(double now, double time, double end) {
    if (slices == 0) return;
    plan.find(time);
    int32_t open = classOf(plan.freeThere());
    measureBack(open, now);
    int32_t step = plan.foundStep + 1;
    for (int32_t index = plan.foundBlock; index < plan.blocks; index++, step = 0) {
      const Block &block = plan.blockAt(index);
      const bool isBehind = block.time >= end;
      if (isBehind && open == 0) return;
      if (step == 0 && classOf(block.least) >= open && (isBehind || classOf(block.most) == open)) continue;
      const Steps &blockSteps = plan.stepsOf(block);
      for (; step < block.count; step++) {
        const int32_t here = classOf(blockSteps.numbers[step] + block.added);
        if (here == open || (here > open && blockSteps.times[step] >= end)) continue;
        for (; open < here; open++) begins[open] = blockSteps.times[step];
        for (; open > here; open--) raise(open - 1, begins[open - 1], blockSteps.times[step]);
        if (open == 0 && blockSteps.times[step] >= end) return;
      }
    }
    for (; open > 0; open--) raise(open - 1, begins[open - 1], INF);
  }

private:
  Plan &plan;
  int32_t rows;
  int64_t most = 16;
  std::vector<double> begins, bounds;
  int32_t slices = 0, levels = 0, slice = 0;
  double origin = 0, scale = 0, until = 0, lastStep = 0;
  double *tree = nullptr;

  int64_t entriesOf(int64_t count) const { return 5 + rows + 3 * rows * count; }
  double *treeOf(int32_t index) { return bounds.data() + 3 * index * most; }
  double *tags() { return tree + 2 * slices; }
  double beginOf(int32_t index) const { return origin + (index - 0.001) / scale; }

  void begin(double now, double last) {
    slices = 16;
    levels = 4;
    for (; slices < most && slices < plan.blocks; slices *= 2) levels++;
    origin = now;
    until = last;
    lastStep = last + (last - now);
    scale = slices / (lastStep - now);
    if (!(slices / scale > last * 1e-9)) slices = 0;
    for (int32_t index = 0; index < rows; index++) {
      std::fill_n(treeOf(index), 2 * slices, INF);
      std::fill_n(treeOf(index) + 2 * slices, slices, 0);
    }
  }

  int32_t sliceOf(double time) const {
    const double place = (time - origin) * scale;
    return place > 0 ? static_cast<int32_t>(std::min(place, slices - 1.0)) : 0;
  }

  void raiseNode(int32_t node, double bound) {
    if (tree[node] < bound) tree[node] = bound;
    if (node < slices && tags()[node] < bound) tags()[node] = bound;
  }

  void push(int32_t node) {
    const double bound = tags()[node];
    if (bound == 0) return;
    tags()[node] = 0;
    raiseNode(2 * node, bound);
    raiseNode(2 * node + 1, bound);
  }

  bool findFrom(int32_t from, double length) {
    int32_t node = from + slices;
    for (int32_t level = levels; level > 0; level--) push(node >> level);
    if (!(tree[node] > length)) {
      do {
        while ((node & 1) == 1) {
          node >>= 1;
          if (node <= 1) return false;
        }
        node++;
      } while (!(tree[node] > length));
      while (node < slices) {
        push(node);
        node *= 2;
        if (!(tree[node] > length)) node++;
      }
    }
    slice = node - slices;
    sliceBegin = beginOf(slice);
    sliceEnd = slice + 1 == slices ? INF : beginOf(slice + 1) + 0.002 / scale;
    return true;
  }

  void raise(int32_t index, double begin, double end) {
    const double bound = end - begin + end * 1e-15;
    tree = treeOf(index);
    const int32_t from = sliceOf(begin) + slices, to = sliceOf(end) + slices;
    if (from == to && tree[from] >= bound) return;
    for (int32_t low = from, high = to + 1; low < high; low >>= 1, high >>= 1) {
      if ((low & 1) == 1) raiseNode(low++, bound);
      if ((high & 1) == 1) raiseNode(--high, bound);
    }
    for (int32_t node = from >> 1; node > 0; node >>= 1) tree[node] = std::max(tree[node], bound);
    for (int32_t node = to >> 1; node > 0; node >>= 1) tree[node] = std::max(tree[node], bound);
  }

  void measureBack(int32_t open, double now) {
    int32_t step = plan.foundStep;
    for (int32_t index = plan.foundBlock; index >= 0 && plan.blocks > 0 && open > 0; index--) {
      const Block &block = plan.blockAt(index);
      if (index < plan.foundBlock) {
        if (classOf(block.least) >= open) continue;
        step = block.count - 1;
      }
      for (; step >= 0 && open > 0; step--) {
        const int32_t here = classOf(plan.stepsOf(block).numbers[step] + block.added);
        for (; open > here; open--) begins[open - 1] = timeBehind(block, index, step);
      }
    }
    for (; open > classOf(plan.before); open--) begins[open - 1] = plan.blockAt(0).time;
    for (; open > 0; open--) begins[open - 1] = now;
  }

  double timeBehind(const Block &block, int32_t index, int32_t step) const {
    return step + 1 < block.count ? plan.stepsOf(block).times[step + 1] : plan.blockAt(index + 1).time;
  }
};

// Heap of waiting jobs by reserved start, then by index; stores the place of each job (nextStarts.ts).
class StartHeap {
public:
  StartHeap(const std::vector<double> &starts) : starts(starts), heap(1), places(starts.size()) {}

  int32_t first() const { return heap[1]; }
  double soonest() const { return heap.size() > 1 ? starts[heap[1]] : INF; }

  void push(int32_t job) {
    heap.push_back(job);
    rise(heap.size() - 1, job);
  }

  void remove(int32_t job) {
    size_t hole = places[job];
    const int32_t last = heap.back();
    heap.pop_back();
    if (hole == heap.size()) return;
    for (size_t child = 2 * hole; child < heap.size(); child = 2 * hole) {
      if (child + 1 < heap.size() && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      set(hole, heap[child]);
      hole = child;
    }
    rise(hole, last);
  }

private:
  const std::vector<double> &starts;
  std::vector<int32_t> heap, places;

  bool isBefore(int32_t job, int32_t other) const {
    return starts[job] < starts[other] || (starts[job] == starts[other] && job < other);
  }

  void set(size_t place, int32_t job) {
    heap[place] = job;
    places[job] = static_cast<int32_t>(place);
  }

  void rise(size_t hole, int32_t job) {
    for (; hole > 1 && isBefore(job, heap[hole / 2]); hole /= 2) set(hole, heap[hole / 2]);
    set(hole, job);
  }
};

// A running job. Sorted by decreasing end (then index), so that the job that ends first is the last of the array.
struct Running {
  double end;
  int32_t job;
  bool operator<(const Running &other) const { return end > other.end || (end == other.end && job > other.job); }
};

class Machine {
public:
  Machine(const Jobs &jobs, int32_t processors)
      : jobs(jobs), start(jobs.count), execution(jobs.count), reserved(jobs.count),
        waiting(jobs.count / 64 + 1), plan(2 * (2 * static_cast<size_t>(jobs.count) + processors), processors),
        bounds(plan, jobs.count, processors), starts(reserved) {}

  void run() {
    uint32_t next = 0;
    while (next < jobs.count || !running.empty() || starts.soonest() < INF) {
      const double submit = next < jobs.count ? jobs.submit[next] : INF;
      const double finish = running.empty() ? INF : running.back().end;
      now = std::min({submit, finish, starts.soonest()});
      plan.advance(now);
      while (next < jobs.count && jobs.submit[next] == now) enter(static_cast<int32_t>(next++));
      while (!running.empty() && running.back().end == now) finishFirst();
      while (starts.soonest() == now) launch(starts.first());
    }
  }

  const Jobs &jobs;
  std::vector<double> start, execution;

private:
  std::vector<double> reserved;
  std::vector<uint64_t> waiting;
  Plan plan;
  RunBounds bounds;
  StartHeap starts;
  std::vector<Running> running;
  double now = 0, longest = 0;
  bool isUnsettled = false;

  void reserve(int32_t job, double time) {
    reserved[job] = time;
    plan.takeBetween(jobs.processors[job], time, time + jobs.estimate[job]);
    starts.push(job);
  }

  void enter(int32_t job) {
    waiting[job >> 6] |= uint64_t{1} << (job & 63);
    reserve(job, search(jobs.processors[job], jobs.estimate[job], INF, INF));
  }

  void giveBack(int32_t processors, double time, double end) {
    if (!(end > time)) return;
    plan.giveBetween(processors, time, end);
    bounds.freed(now, time, end);
    isUnsettled = true;
  }

  void finishFirst() {
    const int32_t job = running.back().job;
    running.pop_back();
    giveBack(jobs.processors[job], now, start[job] + jobs.estimate[job]);
    if (isUnsettled) compress();
  }

  // Moves each reservation that is not due now to the earliest start that is free.
  void compress() {
    isUnsettled = false;
    for (size_t word = 0; word < waiting.size(); word++) {
      for (uint64_t bits = waiting[word]; bits != 0; bits &= bits - 1) {
        const int32_t job = static_cast<int32_t>(64 * word) + __builtin_ctzll(bits);
        const double ownStart = reserved[job];
        if (ownStart <= now) continue;
        const double found = search(jobs.processors[job], jobs.estimate[job], ownStart, ownStart);
        if (found >= ownStart) continue;
        giveBack(jobs.processors[job], ownStart, ownStart + jobs.estimate[job]);
        starts.remove(job);
        reserve(job, found);
      }
    }
  }

  void launch(int32_t job) {
    starts.remove(job);
    waiting[job >> 6] &= ~(uint64_t{1} << (job & 63));
    start[job] = now;
    execution[job] = jobs.runtime[job];
    const Running started{now + jobs.runtime[job], job};
    running.insert(std::lower_bound(running.begin(), running.end(), started), started);
  }

  // Returns the earliest start not later than `last`; for a job with a reservation at `ownStart`, only a start before that
  // (keptPlan.ts). INF if there is none.
  double search(int32_t processors, double length, double last, double ownStart) {
    if (!bounds.areKept(now)) return searchFrom(now, processors, length, last, ownStart);
    double since = INF;
    if (ownStart < INF) {
      since = plan.freeSince(processors, ownStart, now);
      last = std::min(last, since);
    }
    bool isThere = bounds.first(now, processors, length);
    while (isThere) {
      const double from = std::max(now, bounds.sliceBegin);
      if (from > last) break;
      const double until = std::min(last, bounds.sliceEnd);
      const double found = searchFrom(from, processors, length, until, ownStart);
      if (found < INF) return found;
      if (bounds.isLastEnd(until)) bounds.lower(processors, longest);
      isThere = bounds.next(length);
    }
    return since < ownStart && since <= last ? since : INF;
  }

  double searchFrom(double time, int32_t processors, double length, double last, double ownStart) {
    const double ownEnd = ownStart + length;
    longest = 0;
    bool isFree = plan.beginWalk(time) >= processors;
    double since = isFree && time > now ? plan.freeSince(processors, time, now) : time;
    while (true) {
      if (!isFree) since = time = plan.walkToEnough(processors, last);
      if (time > last || time >= ownStart) return INF;
      const double end = time + length;
      const double blocked = plan.walkToFewer(processors, std::min(end, ownStart));
      const bool isTail = blocked == INF && end > ownEnd;
      if (blocked == INF && !(isTail && plan.leastFree(ownEnd, end) < processors)) return time;
      longest = std::max(longest, blocked - since + blocked * 1e-15);
      isFree = false;
    }
  }
};

} // namespace

int main(int count, char **words) { return measure<Machine>(count, words); }
