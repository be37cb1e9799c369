// Shared by easy.cpp and kept.cpp: reads jobs from a file, simulates and times a machine, and hashes its schedule.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

const double INF = std::numeric_limits<double>::infinity();

struct Jobs {
  uint32_t count;
  std::vector<double> submit, runtime, estimate;
  std::vector<int32_t> processors;
};

template <typename T> std::vector<T> column(FILE *file, size_t count) {
  std::vector<T> values(count);
  if (fread(values.data(), sizeof(T), count, file) != count) exit(1);
  return values;
}

// JOBS holds a u32 count, then the columns submit f64, runtime f64, processors i32, home i32, estimate f64.
inline Jobs readJobs(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == nullptr) exit(1);
  Jobs jobs;
  jobs.count = column<uint32_t>(file, 1)[0];
  jobs.submit = column<double>(file, jobs.count);
  jobs.runtime = column<double>(file, jobs.count);
  jobs.processors = column<int32_t>(file, jobs.count);
  column<int32_t>(file, jobs.count);
  jobs.estimate = column<double>(file, jobs.count);
  fclose(file);
  return jobs;
}

template <typename T> uint32_t hashOf(uint32_t hash, const std::vector<T> &values) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(T); i++) hash = (hash ^ bytes[i]) * 0x01000193;
  return hash;
}

// Nanoseconds of processor time used by this process.
inline double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// Runs the program with the arguments JOBS REPEATS PROCESSORS; prints the shortest nanoseconds of processor time and the
// hash of starts, executions and sites.
template <typename Machine> int measure(int count, char **words) {
  if (count != 4) return 2;
  const Jobs jobs = readJobs(words[1]);
  const std::vector<int32_t> sites(jobs.count, 0);
  double least = INF;
  uint32_t hash = 0;
  for (int repeat = 0; repeat < atoi(words[2]); repeat++) {
    const double began = processorTime();
    Machine machine(jobs, atoi(words[3]));
    machine.run();
    least = std::min(least, processorTime() - began);
    hash = hashOf(hashOf(hashOf(0x811c9dc5, machine.start), machine.execution), sites);
  }
  printf("%.0f %u\n", least, hash);
  return 0;
}
