/** Preloaded into each process of a measured run: notes its CPU time and its largest memory when it ends. */
const { appendFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const used = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
    appendFileSync(process.env.ASSAY_CPU_FILE, `${JSON.stringify(used)}\n`);
  });
}
