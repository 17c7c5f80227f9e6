/** Small OpenAPI documents for the diff, and a check of its witnesses. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { liftSchemaRefs } from "../../../helpers/contract/documents/lift-refs.ts";
import { temporary } from "../../../tests/self/support/command.ts";
import { diffDocuments } from "../diff.ts";
import type { ApiDocument } from "../document/model.ts";
import { apiDocumentOf } from "../document/read.ts";
import type { Diff } from "../entry.ts";
import { createJudge } from "../witness/judge.ts";
import { refusals } from "../witness/refusals.ts";

type Json = Record<string, unknown>;

export const documentFrom = (parts: Json, version = "3.1.0"): ApiDocument => {
  const root = { openapi: version, info: { title: "Small", version: "1" }, paths: {}, ...parts };
  const main = { name: "small.json", text: JSON.stringify(root, null, 2) };
  return apiDocumentOf({ root: liftSchemaRefs(root), main, sources: [main] });
};

const json = (schema: unknown) => ({ "application/json": { schema } });

/** Creates a document with one operation, `POST /things`. */
export const operation = (node: Json, others: Json = {}): Json => ({
  paths: {
    "/things": { post: { operationId: "addThing", responses: { "200": { description: "ok" } }, ...node } },
  },
  ...others,
});

export const asRequest = (schema: unknown, others: Json = {}, more: Json = {}): Json =>
  operation({ requestBody: { required: true, content: json(schema) }, ...more }, others);

export const asResponse = (schema: unknown, others: Json = {}): Json =>
  operation({ responses: { "200": { description: "ok", content: json(schema) } } }, others);

/** Makes the two documents of a pair. */
export const pairOf = <Parts>(parts: readonly [Parts, Parts], make: (one: Parts) => ApiDocument) =>
  [make(parts[0]), make(parts[1])] as const;

/** Writes documents to a folder of the running test and returns their paths. */
export const filesOf = async (...documents: readonly ApiDocument[]): Promise<string[]> => {
  const folder = await temporary();
  const paths = documents.map((_, at) => join(folder, `${at}.json`));
  for (const [at, path] of paths.entries()) writeFileSync(path, documents[at]?.source.text ?? "");
  return paths;
};

export const diffOf = (base: ApiDocument, revision: ApiDocument): Diff => diffDocuments(base, revision);

/** Checks the witnesses of a diff against both documents. @returns the problems */
export const wrongWitnesses = (diff: Diff, base: ApiDocument, revision: ApiDocument): string[] => {
  const judges = { old: createJudge(base), new: createJudge(revision) };
  return diff.entries.flatMap((entry) =>
    entry.judged.flatMap((judged) => {
      const name = `${entry.fingerprint} ${entry.rule}`;
      if (judged.class !== "breaking")
        return judged.witness === undefined ? [] : [`${name}: a witness of nothing`];
      if (judged.witness === undefined) return [`${name}: no witness`];
      const { message, refusedBy, operation: label, readAs } = judged.witness;
      const expected = judged.sender === "caller" ? "new" : "old";
      const counts = (["old", "new"] as const).map((side) => {
        const operations = (side === "old" ? base : revision).operations;
        const found = operations.find((one) => one.label === label) ?? operations[0];
        return refusals(judges[side], found, message).length;
      });
      const [byOld = 0, byNew = 0] = counts;
      // Another alternative allows the message, or else its reading would not be told.
      if (readAs !== undefined) return byOld + byNew === 0 ? [] : [`${name}: refused, not read as ${readAs}`];
      const holds = refusedBy === "new" ? byOld === 0 && byNew > 0 : byNew === 0 && byOld > 0;
      return holds && refusedBy === expected ? [] : [`${name}: refused ${byOld} and ${byNew} times`];
    }),
  );
};
