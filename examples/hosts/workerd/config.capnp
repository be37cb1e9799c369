# Cloudflare's workerd, as on the edge: `workerd serve workerd/config.capnp`, then fetch http://127.0.0.1:8080/.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "cases.mjs", esModule = embed "../cases.mjs"),
    (name = "release.wasm", wasm = embed "../node_modules/gridalloc/build/release.wasm"),
    (name = "gridalloc/host.js", esModule = embed "../node_modules/gridalloc/dist/core/host.js"),
    (name = "gridalloc/coreRun.js", esModule = embed "../node_modules/gridalloc/dist/core/coreRun.js"),
    (name = "gridalloc/contract.js", esModule = embed "../node_modules/gridalloc/dist/core/contract.js"),
    (name = "gridalloc/instance.js", esModule = embed "../node_modules/gridalloc/dist/core/instance.js"),
    (name = "gridalloc/live.js", esModule = embed "../node_modules/gridalloc/dist/core/live.js"),
    (name = "gridalloc/liveSentences.js", esModule = embed "../node_modules/gridalloc/dist/core/liveSentences.js"),
    (name = "gridalloc/memory.js", esModule = embed "../node_modules/gridalloc/dist/core/memory.js"),
    (name = "gridalloc/runSettings.js", esModule = embed "../node_modules/gridalloc/dist/core/runSettings.js"),
  ],
);
