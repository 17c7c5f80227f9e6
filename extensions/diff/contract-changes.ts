/** Turns the breaking changes of a diff into changes of a contract: what a run sends and looks for, by their witnesses. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { defined } from "../../helpers/contract/json.ts";
import type { Diff, Entry, Judged } from "./entry.ts";
import { touchedOperations } from "./touched.ts";
import type { RequestMessage, Witness } from "./witness/message.ts";

/**
 * @param wordsOf describes a change in a few words
 * @param selected operationIds, if the run tries only some operations
 */
export const contractChanges = (
  { entries, old: base }: Diff,
  contract: Contract,
  wordsOf: (entry: Entry) => string,
  selected?: readonly string[],
): ContractChange[] =>
  entries
    .filter((entry) => entry.class === "breaking")
    .flatMap((entry) =>
      entry.judged.flatMap((judged): ContractChange[] => {
        const { witness } = judged;
        if (witness === undefined) return [];
        const operations = operationsOf(judged, witness, entry, contract);
        const own = operations.filter((id) => selected?.includes(id) !== false);
        if (own.length === 0 && (operations.length > 0 || selected !== undefined)) return [];
        const { place, pointer, keyword } = witness.refusal;
        const change = {
          requirement: `${contract.service}.change.${entry.fingerprint}`,
          statement: `What ${base.version} ${judged.sender === "caller" ? "allows is still accepted" : "does not describe is not answered"}: ${wordsOf(entry)}.`,
          operations: own,
          ...{ place, pointer, keyword, words: wordsOf(entry), end: endOf(entry) },
        };
        if (witness.readAs !== undefined)
          return [
            {
              ...change,
              direction: "request",
              untried: `it is refused only as ${witness.readAs}: another alternative allows it`,
            },
          ];
        if (own.length === 0)
          return [{ ...change, direction: "request", untried: `the contract has no ${witness.operation}` }];
        return [
          witness.message.kind === "request"
            ? { ...change, direction: "request", ...partsOfRequest(witness.message, place, operations, own) }
            : {
                ...change,
                direction: "response",
                statuses: statusesOf(judged, own, contract),
              },
        ];
      }),
    );

/** Returns the operations of the contract that the change reaches, with the operation of the witness first. */
const operationsOf = (judged: Judged, witness: Witness, entry: Entry, contract: Contract): string[] => {
  const reached = ({ reach }: Pick<Judged, "reach">): string[] =>
    touchedOperations({ entries: [{ ...entry, judged: [{ ...judged, reach }] }] }, contract);
  const first = reached({ reach: judged.reach.filter(({ operation }) => operation === witness.operation) });
  return [...new Set([...first, ...reached(judged)])];
};

const partsOfRequest = (
  message: RequestMessage,
  place: string,
  [first]: readonly string[],
  [own]: readonly string[],
): Partial<ContractChange> => {
  const texts = textsIn(message, place);
  if (message.delivery !== undefined) return { untried: `the service sends it: ${message.delivery}` };
  // A parameter may reach many operations alike. A body is the one of its operation.
  if (texts === undefined && own !== first) return { untried: `its message is a request of ${first}` };
  return defined({ texts, body: message.body, mediaType: message.mediaType });
};

/** Returns the texts of the parameter that a refusal names; `undefined` if it names none. */
const textsIn = (message: RequestMessage, place: string): ContractChange["texts"] | undefined => {
  const [, where, name = ""] = /^(query|header|cookie) (.+)$/.exec(place) ?? [];
  if (where === undefined) return undefined;
  const all = { query: message.query, header: message.headers, cookie: message.cookies }[where] ?? [];
  const isOwn = (other: string): boolean =>
    where === "header"
      ? other.toLowerCase() === name.toLowerCase()
      : other === name || other.startsWith(`${name}[`);
  return all.filter(([other]) => isOwn(other));
};

const statusesOf = (
  judged: Judged,
  operations: readonly string[],
  contract: Contract,
): Record<string, string[]> => {
  const reachOf = (operationId: string) =>
    judged.reach.filter((reach) => {
      const one = { judged: [{ reach: [reach] }] } as unknown as Entry;
      return touchedOperations({ entries: [one] }, contract).includes(operationId);
    });
  return Object.fromEntries(
    operations.map((operationId) => [
      operationId,
      reachOf(operationId).map(({ message }) => message.replace(/^response /, "")),
    ]),
  );
};

/** Returns the pointer without the alternatives that lead to the place. */
export const endOf = ({ pointer }: Entry): string =>
  pointer.replaceAll(/\([^)]*\)/g, "").replaceAll(/\{[^}]*\}/g, "*");
