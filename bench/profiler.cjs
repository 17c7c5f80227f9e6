/** Preloaded into each process of a profiled run: writes the profile and the CPU time of the process when it ends. */
const { Session } = require("node:inspector");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { threadId } = require("node:worker_threads");

const INTERVAL_MICROSECONDS = 1000;

const folder = process.env.ASSAY_PROFILE_FOLDER;
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });
session.post("Profiler.start");
process.once("exit", () => {
  session.post("Profiler.stop", (error, result) => {
    if (error !== null) return;
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    const profile = { ...result.profile, pid: process.pid, threadId, cpuSeconds };
    writeFileSync(join(folder, `${process.pid}-${threadId}.cpuprofile`), JSON.stringify(profile));
  });
});
