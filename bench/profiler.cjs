/** Preloaded into each process of a profiled run: writes the profile of the process when it ends. */
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
    const name = `${process.pid}-${threadId}.cpuprofile`;
    writeFileSync(join(folder, name), JSON.stringify({ ...result.profile, threadId }));
  });
});
