// EASY backfilling on one machine, as one would write it in C++: running jobs in a sorted array of predicted ends,
// waiting jobs in a list, estimates exact. Usage: easy JOBS REPEATS PROCESSORS; prints least nanoseconds of
// processor time and a hash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

namespace {

struct Jobs {
  uint32_t count;
  std::vector<double> submit, runtime;
  std::vector<int32_t> processors;
};

template <typename T> std::vector<T> column(FILE *file, size_t count) {
  std::vector<T> values(count);
  if (fread(values.data(), sizeof(T), count, file) != count) exit(1);
  return values;
}

Jobs readJobs(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == nullptr) exit(1);
  Jobs jobs;
  jobs.count = column<uint32_t>(file, 1)[0];
  jobs.submit = column<double>(file, jobs.count);
  jobs.runtime = column<double>(file, jobs.count);
  jobs.processors = column<int32_t>(file, jobs.count);
  fclose(file);
  return jobs;
}

// A running job: ends of equal time by index. Latest first, so that the soonest leaves at the back.
struct Running {
  double end;
  int32_t job;
  int32_t processors;
  bool operator<(const Running &other) const { return end > other.end || (end == other.end && job > other.job); }
};

class Machine {
public:
  Machine(const Jobs &jobs, int32_t processors)
      : jobs(jobs), free(processors), start(jobs.count), execution(jobs.count), site(jobs.count, 0) {}

  void run() {
    uint32_t next = 0;
    while (next < jobs.count || !running.empty()) {
      const double submit = next < jobs.count ? jobs.submit[next] : std::numeric_limits<double>::infinity();
      const double finish = running.empty() ? std::numeric_limits<double>::infinity() : running.back().end;
      const bool isSubmit = submit <= finish;
      now = isSubmit ? submit : finish;
      if (isSubmit) {
        waiting.push_back(static_cast<int32_t>(next++));
      } else {
        free += running.back().processors;
        running.pop_back();
      }
      if (!waiting.empty()) pass(isSubmit);
    }
  }

  const Jobs &jobs;
  double now = 0;
  int32_t free;
  std::vector<Running> running;
  std::vector<int32_t> waiting;
  std::vector<double> start, execution;
  std::vector<int32_t> site;

private:
  double shadow = 0;
  int32_t room = 0;

  void launch(int32_t job) {
    free -= jobs.processors[job];
    start[job] = now;
    execution[job] = jobs.runtime[job];
    const Running entry{now + jobs.runtime[job], job, jobs.processors[job]};
    running.insert(std::lower_bound(running.begin(), running.end(), entry), entry);
  }

  double seen(double end) const { return end > now ? end : now + 1; }

  // When the head can start and what is left beside it then; who is overdue ends one second from now.
  void castShadow(int32_t head) {
    int32_t missing = jobs.processors[head] - free, overdue = 0;
    size_t place = running.size();
    while (place > 0 && running[place - 1].end <= now) overdue += running[--place].processors;
    bool counted = overdue == 0;
    while (true) {
      const double time = place > 0 ? running[place - 1].end : std::numeric_limits<double>::infinity();
      shadow = !counted && now + 1 <= time ? now + 1 : time;
      if (shadow == now + 1 && !counted) {
        missing -= overdue;
        counted = true;
      }
      while (place > 0 && running[place - 1].end == shadow) missing -= running[--place].processors;
      if (missing <= 0) break;
    }
    room = -missing;
  }

  void pass(bool isSubmit) {
    size_t first = 0;
    while (first < waiting.size() && jobs.processors[waiting[first]] <= free) launch(waiting[first++]);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(first));
    if (waiting.empty()) return;
    const double shadowBefore = shadow;
    const int32_t roomBefore = room;
    castShadow(waiting[0]);
    const bool isAsBefore = isSubmit && first == 0 && shadow == shadowBefore && room == roomBefore;
    size_t kept = isAsBefore ? waiting.size() - 1 : 1;
    for (size_t each = kept; each < waiting.size(); each++) {
      const int32_t job = waiting[each];
      const bool isOver = seen(now + jobs.runtime[job]) <= shadow;
      if (jobs.processors[job] <= free && (isOver || jobs.processors[job] <= room)) {
        if (!isOver) room -= jobs.processors[job];
        launch(job);
      } else {
        waiting[kept++] = job;
      }
    }
    waiting.resize(kept);
  }
};

uint32_t hashOf(const Machine &machine) {
  uint32_t hash = 0x811c9dc5;
  const auto add = [&hash](const void *data, size_t bytes) {
    const auto *each = static_cast<const uint8_t *>(data);
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ each[i]) * 0x01000193;
  };
  add(machine.start.data(), machine.start.size() * sizeof(double));
  add(machine.execution.data(), machine.execution.size() * sizeof(double));
  add(machine.site.data(), machine.site.size() * sizeof(int32_t));
  return hash;
}

// Nanoseconds that this process has used.
double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

} // namespace

int main(int count, char **words) {
  if (count != 4) return 2;
  const Jobs jobs = readJobs(words[1]);
  double least = std::numeric_limits<double>::infinity();
  uint32_t hash = 0;
  for (int repeat = 0; repeat < atoi(words[2]); repeat++) {
    const double began = processorTime();
    Machine machine(jobs, atoi(words[3]));
    machine.run();
    least = std::min(least, processorTime() - began);
    hash = hashOf(machine);
  }
  printf("%.0f %u\n", least, hash);
}
