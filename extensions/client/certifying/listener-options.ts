/** The options of `certify` with which it certifies listeners instead of a service. */
import type { Command } from "commander";
import { parseList } from "../../../runner/command/options.ts";
import type { certifyListener } from "./listen.ts";

export const addOptions = (command: Command): Command =>
  command
    .option("--listener <url,…>", "certify listeners at these addresses instead of a service", parseList)
    .option("--kind <kind>", "with --listener: webhook, txpush, report-callback or notification")
    .option("--effect <command>", "with --listener: a command that prints what the listener holds");

export const run = async (
  flags: Parameters<typeof certifyListener>[1] & { readonly listener?: readonly string[] },
): Promise<number | undefined> =>
  flags.listener && (await import("./listen.ts")).certifyListener(flags.listener, flags);
