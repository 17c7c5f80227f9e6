/** `certify --demo`: a short run on a sandbox with one planted fault, whose result shows what a finding looks like. */
import type { Command } from "commander";
import type { Service } from "../helpers/contract/contract.ts";
import { serviceDescriptors } from "../helpers/contract/services.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Depth } from "../helpers/trials/trial.ts";

/** These options choose another server, or what `--demo` has chosen. */
const OTHERS = ["target", "issuer", "listener", "service", "contract", "since", "shard", "plan"];

/** Returns the flags of the demo. @throws ConfigurationError when a flag cannot be combined with --demo */
export const demoFlags = (
  command: Command,
): { readonly service: readonly Service[]; readonly depth: Depth; readonly faults: readonly string[] } => {
  const other = OTHERS.find((name) => command.getOptionValueSource(name) === "cli");
  if (other !== undefined) {
    throw new ConfigurationError(
      `--demo certifies one service of the embedded sandbox, with a planted fault: leave --${other} out, or --demo.`,
    );
  }
  const [first] = serviceDescriptors().flatMap(({ service, demo }) =>
    demo === undefined ? [] : [{ service: [service], depth: "quick" as const, faults: [demo] }],
  );
  if (first === undefined) throw new ConfigurationError("--demo: no service.yaml names a fault for it.");
  return first;
};
