// Reference for comparison: event loop and allocators of the core in C++, in the same structure (window queue, sorted
// array of finishes that turns into a heap, sites packed into one integer each and kept in order of speed).
//
// usage: simulate JOBS [REPEATS], with one line for each run on standard input:
//   policy p0 p1 load sites capacity... speed...
// prints for each run: shortest nanoseconds of processor time of one simulation, 32-bit FNV-1a hash of starts, executions and sites.
// ai and tai count the prefix of the queue.
// JOBS holds a u32 count, then the columns submit f64, runtime f64, processors i32, home i32. Resolution: nearest.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

using Slot = uint64_t;
constexpr Slot noSlot = ~Slot(0);
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int largeQueue = 1024, smallQueue = 256, blockOfQueue = 128;

enum Policy { bestFit, fastestFirst, firstFit, worstFit, randomFit, si, ti, ai, ai2, tai, tai2 };

struct Jobs {
  int count = 0;
  std::vector<double> submit, runtime, demand;
  std::vector<int32_t> processors, home;
};

static Slot demandOf(int processors) { return Slot(uint32_t(processors)) << 32; }
static bool hasRoom(Slot left) { return int64_t(left) >= 0; }
static int siteIn(Slot slot) { return int32_t(slot); }

struct FinishQueue {
  std::vector<double> time;
  std::vector<int32_t> job;
  int running = 0;
  bool heap = false;

  static bool before(double t, int j, double ot, int oj) { return t < ot || (t == ot && j < oj); }
  void reset(int capacity) {
    time.assign(capacity + 1, 0);
    job.assign(capacity + 1, 0);
    time[0] = infinity;
    running = 0;
    heap = false;
  }
  double soonest() const { return time[heap ? 1 : running]; }
  void push(double t, int j) {
    if (!heap && running == largeQueue) {
      std::reverse(time.begin() + 1, time.begin() + 1 + running);
      std::reverse(job.begin() + 1, job.begin() + 1 + running);
      heap = true;
    }
    const int last = ++running;
    if (heap) siftUp(last, t, j);
    else insert(last, t, j);
  }
  int pop() {
    const int last = running--;
    if (!heap) return job[last];
    const int soonestJob = job[1];
    siftDown(last - 1, time[last], job[last]);
    if (last - 1 == smallQueue) toArray();
    return soonestJob;
  }
  void insert(int last, double t, int j) {
    double* times = time.data();
    int32_t* jobs = job.data();
    int entry = last;
    const int nearest = std::max(last - blockOfQueue, 0);
    while (entry - 1 > nearest && before(times[entry - 1], jobs[entry - 1], t, j)) {
      times[entry] = times[entry - 1];
      jobs[entry] = jobs[entry - 1];
      entry--;
    }
    if (entry - 1 == nearest && nearest > 0) {
      int low = 1, high = entry;
      while (low < high) {
        const int middle = (low + high) >> 1;
        if (before(times[middle], jobs[middle], t, j)) high = middle;
        else low = middle + 1;
      }
      std::memmove(times + low + 1, times + low, size_t(entry - low) * sizeof(double));
      std::memmove(jobs + low + 1, jobs + low, size_t(entry - low) * sizeof(int32_t));
      entry = low;
    }
    times[entry] = t;
    jobs[entry] = j;
  }
  void siftUp(int entry, double t, int j) {
    while (entry > 1) {
      const int parent = entry >> 1;
      if (!before(t, j, time[parent], job[parent])) break;
      time[entry] = time[parent];
      job[entry] = job[parent];
      entry = parent;
    }
    time[entry] = t;
    job[entry] = j;
  }
  void siftDown(int size, double t, int j) {
    int entry = 1;
    for (int child = 2; child <= size; child = entry << 1) {
      if (child < size && before(time[child + 1], job[child + 1], time[child], job[child])) child++;
      if (!before(time[child], job[child], t, j)) break;
      time[entry] = time[child];
      job[entry] = job[child];
      entry = child;
    }
    time[entry] = t;
    job[entry] = j;
  }
  void toArray() {
    for (int size = running; size > 1; size--) {
      const double t = time[1];
      const int j = job[1];
      siftDown(size - 1, time[size], job[size]);
      time[size] = t;
      job[size] = j;
    }
    heap = false;
  }
};

struct Simulation {
  const Jobs& jobs;
  int policy = 0, sites = 0;
  double p0 = 0, p1 = 0;
  std::vector<int> capacity;
  std::vector<double> speed, load;

  std::vector<Slot> slots, trial;
  std::vector<int> slotOf;
  std::vector<double> start, execution;
  std::vector<int32_t> site;
  FinishQueue finishes;
  double now = 0, heterogeneity = 0;
  int head = 0, next = 0, newcomer = -1, largest = 0;
  int agreed = 0, choseBestFit = 0, choseFastest = 0;
  int64_t freeProcessors = 0, events = 0, waitingObserved = 0;
  uint64_t draws = 0;

  explicit Simulation(const Jobs& table) : jobs(table) {}
  void begin() {
    const int total = std::accumulate(capacity.begin(), capacity.end(), 0);
    std::vector<int> order(sites);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return speed[a] > speed[b]; });
    slots.resize(sites);
    trial.resize(sites);
    slotOf.resize(sites);
    for (int place = 0; place < sites; place++) {
      slots[place] = demandOf(capacity[order[place]]) | Slot(order[place]);
      slotOf[order[place]] = place;
    }
    double sum = 0, squares = 0;
    for (double each : speed) sum += each;
    const double mean = sum / sites;
    for (double each : speed) squares += (each - mean) * (each - mean);
    heterogeneity = squares / sites;
    start.assign(jobs.count, 0);
    execution.assign(jobs.count, 0);
    site.assign(jobs.count, 0);
    finishes.reset(std::min(jobs.count, total));
    freeProcessors = total;
    now = 0;
    head = next = largest = agreed = choseBestFit = choseFastest = 0;
    newcomer = -1;
    events = waitingObserved = 0;
    draws = 0;
  }

  Slot tightest(const Slot* from, Slot demand) const {
    Slot least = noSlot;
    for (int place = 0; place < sites; place++) least = std::min(least, from[place] - demand);
    return least;
  }
  template <class T> T worth(int job, int on) const {
    if constexpr (std::is_integral_v<T>) return 1;
    else return speed[on] * double(jobs.processors[job]);
  }
  template <class T> T lookAhead(int job, int on) {
    Slot* copy = trial.data();
    std::memcpy(copy, slots.data(), size_t(sites) * sizeof(Slot));
    copy[slotOf[on]] -= demandOf(jobs.processors[job]);
    T tally = worth<T>(job, on);
    for (int follower = job + 1; follower < next; follower++) {
      const Slot left = tightest(copy, demandOf(jobs.processors[follower]));
      if (!hasRoom(left)) break;
      copy[slotOf[siteIn(left)]] = left;
      tally += worth<T>(follower, siteIn(left));
    }
    return tally;
  }
  bool loadIsHigh(double threshold) const {
    return jobs.demand[next] - jobs.demand[head] > threshold * std::max(1.0, double(freeProcessors));
  }
  bool moreJobs(int job, int bf, int ff) {
    if (newcomer == job) return speed[bf] < speed[ff];
    const int byBestFit = lookAhead<int>(job, bf), byFastest = lookAhead<int>(job, ff);
    return speed[ff] - speed[bf] - double(byBestFit - byFastest) * speed[bf] >= 0;
  }
  bool moreCapacity(int job, int bf, int ff) {
    if (newcomer == job) return speed[bf] < speed[ff];
    const double byFastest = lookAhead<double>(job, ff), byBestFit = lookAhead<double>(job, bf);
    return speed[ff] * byFastest > speed[bf] * byBestFit;
  }
  template <int P> bool prefersFastest(int job, int bf, int ff) {
    if constexpr (P == si) return newcomer == job;
    if constexpr (P == ti) return newcomer == job ? heterogeneity > p0 : !loadIsHigh(p1);
    if constexpr (P == ai) return moreJobs(job, bf, ff);
    if constexpr (P == ai2) return moreCapacity(job, bf, ff);
    const bool speedsHigh = heterogeneity > p0;
    const bool loadHigh = newcomer != job && loadIsHigh(p1);
    if (speedsHigh != loadHigh) return speedsHigh;
    return P == tai ? moreJobs(job, bf, ff) : moreCapacity(job, bf, ff);
  }
  template <int P> int compare(int job) {
    const Slot demand = demandOf(jobs.processors[job]);
    const Slot* from = slots.data();
    Slot least = noSlot, first = noSlot;
    for (int place = sites - 1; place >= 0; place--) {
      const Slot left = from[place] - demand;
      least = std::min(least, left);
      first = hasRoom(left) ? from[place] : first;
    }
    if (!hasRoom(least)) return -1;
    const int bf = siteIn(least), ff = siteIn(first);
    if (bf == ff) {
      agreed++;
      return bf;
    }
    if (prefersFastest<P>(job, bf, ff)) {
      choseFastest++;
      return ff;
    }
    choseBestFit++;
    return bf;
  }
  int choose(int job) {
    const Slot demand = demandOf(jobs.processors[job]);
    const Slot* from = slots.data();
    switch (policy) {
      case bestFit: {
        const Slot left = tightest(from, demand);
        return hasRoom(left) ? siteIn(left) : -1;
      }
      case fastestFirst: {
        Slot first = noSlot;
        for (int place = sites - 1; place >= 0; place--) first = hasRoom(from[place] - demand) ? from[place] : first;
        return hasRoom(first) ? siteIn(first) : -1;
      }
      case firstFit: {
        uint32_t first = ~0u;
        for (int place = sites - 1; place >= 0; place--) {
          first = hasRoom(from[place] - demand) ? std::min(first, uint32_t(siteIn(from[place]))) : first;
        }
        return int(first);
      }
      case worstFit: {
        Slot most = 0;
        for (int place = sites - 1; place >= 0; place--) most = std::max(most, from[place] ^ Slot(0xffffffff));
        return hasRoom(most - demand) ? siteIn(most ^ Slot(0xffffffff)) : -1;
      }
      case randomFit: {
        uint64_t feasible = 0;
        for (int place = 0; place < sites; place++) feasible += hasRoom(from[place] - demand);
        if (feasible == 0) return -1;
        uint64_t bits = uint64_t(p0) + ++draws * 0x9e3779b97f4a7c15ull;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
        bits ^= bits >> 31;
        uint64_t skipped = ((bits >> 32) * feasible) >> 32;
        int on = 0;
        for (;; on++) {
          if (hasRoom(from[slotOf[on]] - demand) && skipped-- == 0) return on;
        }
      }
      case si: return compare<si>(job);
      case ti: return compare<ti>(job);
      case ai: return compare<ai>(job);
      case ai2: return compare<ai2>(job);
      case tai: return compare<tai>(job);
      default: return compare<tai2>(job);
    }
  }
  void commit(int job, int on) {
    const int processors = jobs.processors[job];
    slots[slotOf[on]] -= demandOf(processors);
    freeProcessors -= processors;
    const double time = std::floor(jobs.runtime[job] * load[jobs.home[job]] / speed[on] + 0.5);
    start[job] = now;
    execution[job] = time;
    site[job] = on;
    finishes.push(now + time, job);
  }
  void release() {
    const int job = finishes.pop();
    slots[slotOf[site[job]]] += demandOf(jobs.processors[job]);
    freeProcessors += jobs.processors[job];
  }
  void pass() {
    while (head < next) {
      const int on = choose(head);
      if (on < 0) break;
      commit(head, on);
      head++;
    }
    newcomer = -1;
  }
  void run() {
    for (;;) {
      const double submit = jobs.submit[next], finish = finishes.soonest(), time = std::min(submit, finish);
      if (time == infinity) return;
      const int waiting = next - head;
      now = time;
      events++;
      waitingObserved += waiting;
      largest = std::max(largest, waiting);
      if (submit <= finish) {
        if (waiting == 0) newcomer = next;
        next++;
        if (waiting == 0) pass();
      } else {
        release();
        if (waiting > 0) pass();
      }
    }
  }
};

static uint32_t hashOf(uint32_t hash, const void* data, size_t bytes) {
  const unsigned char* at = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ at[i]) * 0x01000193u;
  return hash;
}

template <class T> static void readColumn(FILE* file, std::vector<T>& column, int count) {
  column.resize(count);
  if (fread(column.data(), sizeof(T), count, file) != size_t(count)) exit(1);
}

static int64_t processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "rb") : nullptr;
  const int repeats = argc > 2 ? atoi(argv[2]) : 5;
  Jobs jobs;
  uint32_t count = 0;
  if (file == nullptr || fread(&count, 4, 1, file) != 1) return 1;
  jobs.count = int(count);
  readColumn(file, jobs.submit, jobs.count);
  readColumn(file, jobs.runtime, jobs.count);
  readColumn(file, jobs.processors, jobs.count);
  readColumn(file, jobs.home, jobs.count);
  fclose(file);
  jobs.submit.push_back(infinity);
  jobs.demand.assign(1, 0);
  for (int processors : jobs.processors) jobs.demand.push_back(jobs.demand.back() + processors);

  double load;
  Simulation simulation(jobs);
  while (scanf("%d %lf %lf %lf %d", &simulation.policy, &simulation.p0, &simulation.p1, &load, &simulation.sites) == 5) {
    simulation.capacity.resize(simulation.sites);
    simulation.speed.resize(simulation.sites);
    simulation.load.assign(simulation.sites, load);
    for (int& each : simulation.capacity) {
      if (scanf("%d", &each) != 1) return 1;
    }
    for (double& each : simulation.speed) {
      if (scanf("%lf", &each) != 1) return 1;
    }
    int64_t least = INT64_MAX;
    for (int i = 0; i < repeats; i++) {
      const int64_t began = processorTime();
      simulation.begin();
      simulation.run();
      least = std::min<int64_t>(least, processorTime() - began);
    }
    uint32_t hash = 0x811c9dc5u;
    hash = hashOf(hash, simulation.start.data(), jobs.count * sizeof(double));
    hash = hashOf(hash, simulation.execution.data(), jobs.count * sizeof(double));
    hash = hashOf(hash, simulation.site.data(), jobs.count * sizeof(int32_t));
    printf("%lld %u\n", static_cast<long long>(least), hash);
    fflush(stdout);
  }
}
