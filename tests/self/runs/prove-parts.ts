/** Tries the faults in the parts of a document on its sandbox, in a process of its own: its service exists only here. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { documentPolicy } from "../../../helpers/trials/from-contract/document-policy.ts";
import { generatedTrials } from "../../../helpers/trials/from-contract/generated.ts";
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import { listDeviations } from "../../../mocks/engine/services.ts";
import { onDocument } from "../support/document.ts";
import { onSandbox, runAll, verdictsOf } from "../support/in-process.ts";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: postNote
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, about]
              properties:
                title: { type: string, minLength: 2, maxLength: 5 }
                about: { type: object, required: [owner], properties: { owner: { type: string, maxLength: 4 } } }
                size: { type: string, enum: [small, large] }
                taken: { type: string, format: date }
                copies: { type: integer, minimum: 2, maximum: 9 }
                tags: { type: array, maxItems: 2, items: { type: string, maxLength: 3 } }
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
  /lines:
    post:
      operationId: postLine
      requestBody:
        required: true
        content:
          application/json: { schema: &line { type: object, required: [text], properties: { text: { type: string, maxLength: 9 } } } }
          multipart/form-data: { schema: *line }
          application/x-www-form-urlencoded: { schema: *line }
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
`;

/** What the trials tell of the sandbox without a fault, and of what each fault in a part violates. */
export interface Told {
  readonly clean: Readonly<Record<string, Verdict>>;
  readonly ofParts: readonly string[];
  readonly faults: readonly (readonly [id: string, Verdict | undefined])[];
}

const verdictsWith = (contract: Contract, faults: readonly string[], only?: string | null) => {
  const trials = generatedTrials(contract, documentPolicy("notes")).filter(
    ({ requirements }) => typeof only !== "string" || requirements.includes(only),
  );
  return onSandbox({ contract, faults }, async (session) => verdictsOf(await runAll(session, trials)));
};

await onDocument(process.argv[2] ?? "", "notes", DOCUMENT, async (contract) => {
  const clean = Object.fromEntries(await verdictsWith(contract, []));
  const rules = contract.rules.filter(({ place, untried }) => place === "part" && untried === undefined);
  const faults: [string, Verdict | undefined][] = [];
  for (const { id, violates, effects = [] } of await listDeviations([contract])) {
    if (!effects.some((effect) => effect.kind === "request" && effect.of.endsWith("?part"))) continue;
    faults.push([id, (await verdictsWith(contract, [id], violates)).get(violates ?? "")]);
  }
  const told: Told = { clean, ofParts: rules.map(({ requirement }) => requirement), faults };
  process.send?.(told);
});
process.disconnect?.();
