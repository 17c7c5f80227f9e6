/** Certifies sandboxes of documents with many changes, in a process of its own: its services exist only here. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withChanges } from "../../../helpers/contract/changes.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { DOCUMENT_FOLDER } from "../../../helpers/contract/services.ts";
import { sentenceOf } from "../../../helpers/reasons/reason.ts";
import { documentPolicy } from "../../../helpers/trials/from-contract/document-policy.ts";
import { generatedTrials } from "../../../helpers/trials/from-contract/generated.ts";
import { schemasOf } from "../../../tests/self/support/document.ts";
import { onSandbox, runAll } from "../../../tests/self/support/in-process.ts";
import { contractChanges } from "../contract-changes.ts";
import { diffDocuments } from "../diff.ts";
import { readApiDocument } from "../document/read.ts";
import type { SchemaMutation } from "./mutations/mutation.ts";
import { STRUCTURE_MUTATIONS } from "./mutations/structure-mutations.ts";
import { VALUE_MUTATIONS } from "./mutations/value-mutations.ts";

/** What a run told of a breaking change; its fingerprint ends the requirement. */
export interface ToldChange {
  readonly about: string;
  readonly verdict: string;
  readonly reason: string;
}

export interface ToldPair {
  readonly changes: readonly ToldChange[];
  /** The requests of the run, and of the same run without witnesses. */
  readonly requests: readonly [number, number];
}

const ROWS = [...VALUE_MUTATIONS, ...STRUCTURE_MUTATIONS].filter(({ versions }) =>
  versions.includes("3.1.0"),
);

const PAIRS = 10;

const json = (value: unknown) => ({
  "application/json": {
    schema: { type: "object", required: ["value"], properties: { value, other: { type: "string" } } },
  },
});

/** Each row is a body of one operation, an answer of another and a query of a third. */
const documentOf = (rows: readonly SchemaMutation[], side: "old" | "new") => ({
  openapi: "3.1.0",
  info: { title: "Many", version: side },
  paths: Object.assign({}, ...rows.map((row, at) => pathsOf(row, row[side], at))),
});

const pathsOf = ({ query }: SchemaMutation, schema: unknown, at: number) => {
  const [content, responses] = [json(schema), { "200": { description: "ok" } }];
  const parameters = [{ name: "limit", in: "query", schema }];
  const shown = { operationId: `show${at}`, responses: { "200": { description: "ok", content } } };
  return {
    [`/sent-${at}`]: {
      post: { operationId: `send${at}`, requestBody: { required: true, content }, responses },
    },
    [`/shown-${at}`]: { get: shown },
    ...(query !== undefined && {
      [`/listed-${at}`]: { get: { operationId: `list${at}`, parameters, responses } },
    }),
  };
};

const prove = async (folder: string, pairs: readonly number[]): Promise<void> => {
  const schemas = join(folder, "schemas");
  process.env[DOCUMENT_FOLDER] = schemas;
  const written = pairs.map(async (pair) => {
    const rows = ROWS.filter((_, at) => at % PAIRS === pair);
    return [
      await write(folder, schemas, rows, `old${pair}`, "old"),
      await write(folder, schemas, rows, `new${pair}`, "new"),
    ] as const;
  });
  // The services of the process are read once, so all are written before.
  for (const [old, revision] of await Promise.all(written)) process.send?.(await toldOf(old, revision));
  process.disconnect?.();
};

const write = async (
  folder: string,
  schemas: string,
  rows: readonly SchemaMutation[],
  service: string,
  side: "old" | "new",
) => {
  const file = join(folder, `${service}.json`);
  writeFileSync(file, JSON.stringify(documentOf(rows, side)));
  cpSync(await schemasOf(file), schemas, { recursive: true });
  return { service, file };
};

type Written = Awaited<ReturnType<typeof write>>;

const toldOf = async (base: Written, revision: Written): Promise<ToldPair> => {
  const [before, plain] = [await loadContract(base.service), await loadContract(revision.service)];
  const diff = diffDocuments(readApiDocument(base.file), readApiDocument(revision.file));
  const entries = contractChanges(diff, before, plain);
  const run = async (contract: typeof plain) => {
    let requests = 0;
    const results = await onSandbox(
      { contract, depth: "quick", onExchange: () => void requests++ },
      (session) => runAll(session, generatedTrials(contract, documentPolicy(contract.service))),
    );
    return { requests, entries: results.flatMap((result) => result.entries) };
  };
  const [without, run1] = [await run(plain), await run(withChanges(plain, before, entries))];
  const breaking = diff.entries.filter((entry) => entry.class === "breaking");
  return {
    requests: [run1.requests, without.requests],
    changes: breaking.map(({ fingerprint, owner, part, pointer, rule, action }) => {
      const own = run1.entries.filter(({ requirement }) => requirement.endsWith(fingerprint));
      const strongest = own.find(({ verdict }) => verdict === "advisory") ?? own.at(-1);
      return {
        about: [owner, part, pointer, rule, action].join(" "),
        verdict: strongest?.verdict ?? "none",
        reason: strongest?.reason ? sentenceOf(strongest.reason) : "",
      };
    }),
  };
};

const [folder = "", pairs = ""] = process.argv.slice(2);
await prove(folder, pairs.split(",").map(Number));
