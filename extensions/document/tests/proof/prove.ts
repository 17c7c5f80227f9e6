/** Certifies servers of generated documents, in a process of its own: its services exist only here. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Contract } from "../../../../helpers/contract/contract.ts";
import { loadContract } from "../../../../helpers/contract/load.ts";
import { DOCUMENT_FOLDER } from "../../../../helpers/contract/services.ts";
import { sentenceOf } from "../../../../helpers/reasons/reason.ts";
import { NOTHING } from "../../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../../helpers/target/names.ts";
import type { LedgerEntry } from "../../../../helpers/trials/ledger.ts";
import { openSession } from "../../../../helpers/trials/session.ts";
import { runAll, verdictsOf } from "../../../../tests/self/support/in-process.ts";
import { contractFiles } from "../../reading/contract-files.ts";
import { convert } from "../../reading/convert.ts";
import type { Converted } from "../../reading/converted.ts";
import { trials } from "../../trials.ts";
import { documentOf, type GeneratedDocument } from "./documents/document.ts";
import { randomOf } from "./random.ts";
import { chooseMistakes } from "./server/mistakes.ts";
import { readOperations } from "./server/reading.ts";
import { type Mistake, startServer } from "./server/server.ts";
import { makerOf } from "./server/values.ts";

export interface Order {
  readonly folder: string;
  readonly seeds: readonly number[];
  readonly mistakes: number;
}

/** What a run of one server told. */
export interface Told {
  readonly seed: number;
  readonly kinds: readonly string[];
  /** `undefined` for a right server. */
  readonly mistake?: string;
  /** Whether the certificate says of a requirement that states the mistake that it was not tried, or blocked. */
  readonly isTold?: boolean;
  readonly failed: readonly string[];
  readonly blocked: readonly string[];
  readonly untried: readonly string[];
  readonly passed: number;
  readonly exchanges: number;
  readonly crash?: string;
}

interface Opened {
  readonly document: GeneratedDocument;
  readonly service: string;
  readonly file: string;
  readonly converted: Converted;
}

const prove = async ({ folder, seeds, mistakes }: Order): Promise<void> => {
  const schemas = join(folder, "schemas");
  process.env[DOCUMENT_FOLDER] = schemas;
  const opened = seeds.map((seed) => open(documentOf(seed), folder, schemas));
  for (const one of opened) {
    const contract = await loadContract(one.service);
    process.send?.(await certified(one, contract));
    for (const mistake of mistakesIn(one, mistakes)) process.send?.(await certified(one, contract, mistake));
  }
  process.disconnect?.();
};

const open = (document: GeneratedDocument, folder: string, schemas: string): Opened => {
  const service = `d${document.seed}`;
  const root = join(folder, service);
  for (const [name, text] of Object.entries(document.files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const file = join(root, document.main);
  const converted = convert(service, file, root);
  mkdirSync(join(schemas, service), { recursive: true });
  for (const [name, text] of Object.entries(contractFiles(service, converted)))
    writeFileSync(join(schemas, service, name), text);
  return { document, service, file, converted };
};

const servingOf = ({ document, file }: Opened, salt: number) => {
  const { seed, resources, secrets, known, texts, dialects, isNullWide } = document;
  const random = randomOf(seed * 1000 + salt);
  return {
    operations: readOperations(file, { isNullWide, dialects }),
    ...{ resources, secrets, known, random, texts },
    maker: makerOf(random, texts),
  };
};

const mistakesIn = (one: Opened, count: number): Mistake[] => chooseMistakes(servingOf(one, 1), count);

const certified = async (one: Opened, contract: Contract, mistake?: Mistake): Promise<Told> => {
  const { document, service, converted } = one;
  const { url, close } = await startServer({ ...servingOf(one, 2), mistake });
  let exchanges = 0;
  const values = {
    [baseUrlName(service)]: url,
    ALLOW_DESTRUCTIVE: "true",
    ...settingsOf(document, converted),
  };
  const target = targetOf(service, values, false);
  const session = openSession({
    target,
    contracts: [contract],
    capabilities: { ...NOTHING, has: (name) => name === "clock", advanceClock: async () => {} },
    depth: "standard",
    seed: document.seed,
    prefix: service,
    onExchange: () => void exchanges++,
  });
  try {
    const results = await runAll(session, trials(contract));
    const verdicts = verdictsOf(results);
    const entries = results.flatMap((result) => result.entries);
    const ids = (verdict: string) =>
      contract.requirements
        .filter(({ id }) => (verdicts.get(id) ?? "not-tried") === verdict)
        .map(({ id }) => `${id.slice(service.length + 1)}${detailOf(entries, id, verdict)}`);
    const [failed, blocked, untried] = [ids("failed"), ids("blocked"), ids("not-tried")];
    const crash = results.find((result) => result.crash !== undefined)?.crash;
    return {
      seed: document.seed,
      kinds: document.kinds,
      ...(mistake && { mistake: mistake.name, isTold: isTold(mistake, [...blocked, ...untried]) }),
      ...{ failed, blocked, untried },
      passed: ids("passed").length,
      exchanges,
      ...(crash !== undefined && { crash }),
    };
  } finally {
    await session.close();
    await close();
  }
};

/** Whether one of the requirements states the mistake, or that a valid call of its operation was not accepted. */
const isTold = ({ operation, stated }: Mistake, requirements: readonly string[]): boolean =>
  requirements
    .map((text) => text.split(": ")[0] ?? "")
    .filter((id) => id.startsWith(`${operation}.`))
    .map((id) => id.slice(operation.length + 1))
    .some((id) => stated.test(id) || id === "success");

const detailOf = (entries: readonly LedgerEntry[], id: string, verdict: string): string => {
  const entry = entries.find((one) => one.requirement === id && one.verdict === verdict);
  const words = entry?.failure?.message ?? (entry?.reason && sentenceOf(entry.reason));
  return words === undefined ? "" : `: ${words}`;
};

const settingsOf = ({ secrets, ids }: GeneratedDocument, { settings }: Converted): Record<string, string> =>
  Object.fromEntries(
    settings.flatMap(({ name, resource, meaning }): [string, string][] => {
      const [, scheme = ""] = /\((\w+)\)$/.exec(meaning) ?? [];
      const value = resource === undefined ? secrets[scheme] : ids[resource];
      return value === undefined ? [] : [[name, value]];
    }),
  );

await prove(JSON.parse(process.argv[2] ?? "{}") as Order);
