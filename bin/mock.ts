/** `npm run mock`: the sandbox alone, until it is stopped. */
import { Command, InvalidArgumentError } from "commander";
import { type Contract, SERVICES, type Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { startSandbox } from "../mocks/server.ts";
import { SANDBOX_SERVICES } from "../mocks/services.ts";

interface Flags {
  readonly port: number;
  readonly service: readonly Service[];
  readonly contract: Readonly<Partial<Record<Service, string>>>;
  readonly fault: readonly string[];
  readonly plain?: true;
}

const SEED = 1;

const main = async (): Promise<void> => {
  const { port, service, contract, fault, plain } = commandLine().parse().opts<Flags>();
  const contracts = await Promise.all(service.map((name) => contractOf(name, contract[name])));
  const sandbox = await startSandbox({
    services: service,
    port,
    seed: SEED,
    faults: fault,
    contracts,
    plain: plain === true,
  });
  const { baseUrls, environment } = sandbox;
  process.stdout.write(`${JSON.stringify({ baseUrls, credentials: environment, faults: fault })}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void sandbox.close());
  }
};

const commandLine = (): Command =>
  new Command("mock")
    .description(
      "Starts the sandbox and prints one line of JSON with its base URLs and credentials when ready.",
    )
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", portOf, 0)
    .option(
      "--service <a,b>",
      `services to stand in for (${available().join(", ")})`,
      servicesOf,
      available(),
    )
    .option(
      "--contract <SERVICE=FILE>",
      "the provider's own OpenAPI document of a service; repeatable",
      addContract,
      {},
    )
    .option(
      "--fault <id>",
      "a fault to put in force; repeatable",
      (id: string, ids: string[]) => [...ids, id],
      [],
    )
    .option("--plain", "without the admin interface")
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const available = (): Service[] => SERVICES.filter((name) => SANDBOX_SERVICES[name] !== undefined);

const portOf = (text: string): number => {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("Give a whole number from 0 to 65535.");
};

const serviceOf = (name: string): Service => {
  const service = available().find((candidate) => candidate === name);
  if (service !== undefined) return service;
  throw new InvalidArgumentError(`No sandbox for "${name}". There is one for: ${available().join(", ")}.`);
};

const servicesOf = (list: string): Service[] => [
  ...new Set(list.split(",").map((name) => serviceOf(name.trim()))),
];

const addContract = (text: string, others: Flags["contract"]): Flags["contract"] => {
  const [, name = "", file = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (file === "") throw new InvalidArgumentError("Write it as SERVICE=FILE.");
  return { ...others, [serviceOf(name)]: file };
};

const contractOf = (service: Service, providerFile: string | undefined): Promise<Contract> =>
  loadContract(service, providerFile === undefined ? {} : { providerFile });

main().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === "EADDRINUSE";
  const message = taken
    ? "The port is taken. Choose another with --port; 0 takes a free one."
    : error.message;
  process.stderr.write(`${message}\n`);
  process.exit(2);
});
