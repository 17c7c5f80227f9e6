/** Starts a sandbox for the benchmarks: `node target.ts SERVICES KEY`; KEY is a PEM file with the card key. */
import { readFile } from "node:fs/promises";
import type { Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { presetCardKeys } from "../mocks/card-enrollment/keys.ts";
import { startSandbox } from "../mocks/engine/server.ts";
import { ANY_PORT } from "./tools.ts";

const [services = "", key = ""] = process.argv.slice(2);
presetCardKeys(await readFile(key, "utf8"));
const named = services.split(",") as Service[];
const contracts = await Promise.all(named.map((service) => loadContract(service)));
const sandbox = await startSandbox({ services: named, port: ANY_PORT, seed: 1, faults: [], contracts });
const { baseUrls, environment } = sandbox;
// The benchmark may end this process as soon as it has read the addresses.
process.once("SIGTERM", () => void sandbox.close());
process.stdout.write(`${JSON.stringify({ baseUrls, environment })}\n`);
