// EASY backfilling on one machine in plain C++: running jobs in an array sorted by predicted end, waiting jobs in a
// list. Estimates are exact.
#include "machine.hpp"

namespace {

// A running job. Sorted by decreasing end (then index), so that the job that ends first is the last of the array.
struct Running {
  double end;
  int32_t job;
  int32_t processors;
  bool operator<(const Running &other) const { return end > other.end || (end == other.end && job > other.job); }
};

class Machine {
public:
  Machine(const Jobs &jobs, int32_t processors)
      : jobs(jobs), free(processors), start(jobs.count), execution(jobs.count) {}

  void run() {
    uint32_t next = 0;
    while (next < jobs.count || !running.empty()) {
      const double submit = next < jobs.count ? jobs.submit[next] : INF;
      const double finish = running.empty() ? INF : running.back().end;
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

private:
  double shadow = 0;
  int32_t extraProcessors = 0;

  void launch(int32_t job) {
    free -= jobs.processors[job];
    start[job] = now;
    execution[job] = jobs.runtime[job];
    const Running started{now + jobs.runtime[job], job, jobs.processors[job]};
    running.insert(std::lower_bound(running.begin(), running.end(), started), started);
  }

  // Predicted end of a job; one second from now if that is not later than now.
  double effectiveEnd(double end) const { return end > now ? end : now + 1; }

  // Computes the earliest start of the first waiting job (shadow time) and the processors that it leaves free then.
  // Jobs that have reached their predicted end are expected to end one second from now.
  void castShadow(int32_t head) {
    int32_t missing = jobs.processors[head] - free, overdue = 0;
    size_t place = running.size();
    while (place > 0 && running[place - 1].end <= now) overdue += running[--place].processors;
    bool isOverdueCounted = overdue == 0;
    while (true) {
      const double time = place > 0 ? running[place - 1].end : INF;
      shadow = !isOverdueCounted && now + 1 <= time ? now + 1 : time;
      if (shadow == now + 1 && !isOverdueCounted) {
        missing -= overdue;
        isOverdueCounted = true;
      }
      while (place > 0 && running[place - 1].end == shadow) missing -= running[--place].processors;
      if (missing <= 0) break;
    }
    extraProcessors = -missing;
  }

  void pass(bool isSubmit) {
    size_t first = 0;
    while (first < waiting.size() && jobs.processors[waiting[first]] <= free) launch(waiting[first++]);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(first));
    if (waiting.empty()) return;
    const double shadowBefore = shadow;
    const int32_t extraBefore = extraProcessors;
    castShadow(waiting[0]);
    const bool isAsBefore = isSubmit && first == 0 && shadow == shadowBefore && extraProcessors == extraBefore;
    size_t kept = isAsBefore ? waiting.size() - 1 : 1;
    for (size_t position = kept; position < waiting.size(); position++) {
      const int32_t job = waiting[position];
      const bool endsInTime = effectiveEnd(now + jobs.runtime[job]) <= shadow;
      if (jobs.processors[job] <= free && (endsInTime || jobs.processors[job] <= extraProcessors)) {
        if (!endsInTime) extraProcessors -= jobs.processors[job];
        launch(job);
      } else {
        waiting[kept++] = job;
      }
    }
    waiting.resize(kept);
  }
};

} // namespace

int main(int count, char **words) { return measure<Machine>(count, words); }
