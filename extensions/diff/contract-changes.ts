/** Turns the breaking changes of a diff into changes of a contract: what a run sends and looks for, by their witnesses. */
import type { Contract } from "../../helpers/contract/contract.ts";
import type { ContractChange } from "../../helpers/contract/contract-change.ts";
import { defined } from "../../helpers/contract/json.ts";
import type { Diff, Entry, Judged } from "./entry.ts";
import { whatOf, whereOf } from "./rendering/report.ts";
import { reachedOperations } from "./touched.ts";
import type { RequestMessage, Witness } from "./witness/message.ts";

/** @param selected operationIds, if the run tries only some operations */
export const contractChanges = (
  { entries, old: before }: Diff,
  base: Contract,
  contract: Contract,
  selected?: readonly string[],
): ContractChange[] =>
  entries
    .filter((entry) => entry.class === "breaking")
    .flatMap((entry) =>
      entry.judged.flatMap((judged): ContractChange[] => {
        const { witness } = judged;
        if (witness === undefined) return [];
        const operations = operationsOf(judged, witness, contract);
        const own = operations.filter((id) => selected?.includes(id) !== false);
        if (own.length === 0 && (operations.length > 0 || selected !== undefined)) return [];
        const { place, pointer, keyword } = witness.refusal;
        return [
          {
            requirement: `${contract.service}.change.${entry.fingerprint}`,
            statement: `What ${before.version} ${judged.sender === "caller" ? "allows is still accepted" : "does not describe is not answered"}: ${wordsOf(entry)}.`,
            operations: own,
            ...{ place, pointer, keyword, end: endOf(entry) },
            direction: "request",
            ...(shownAtAddress(judged, witness, base) ??
              shownBy(witness, operations, own, statusesOf(judged, own, contract))),
          },
        ];
      }),
    );

/** Returns the operation that a request calls at an address that has none any more. */
const shownAtAddress = (
  judged: Judged,
  { message, refusal, ...witness }: Witness,
  base: Contract,
): Partial<ContractChange> | undefined => {
  const isCall = message.kind === "request" && message.delivery === undefined;
  const [called] = isCall && refusal.place === "operation" ? operationsOf(judged, witness, base) : [];
  return called === undefined ? undefined : { called };
};

/** Returns what a run sends or looks for, or why no message of it shows the change. */
const shownBy = (
  { message, operation, readAs, refusal }: Witness,
  operations: readonly string[],
  own: readonly string[],
  statuses: Record<string, string[]>,
): Partial<ContractChange> => {
  if (readAs !== undefined)
    return { untried: `it is refused only as ${readAs}: another alternative allows it` };
  if (own.length === 0) return { untried: `the contract has no ${operation}` };
  return message.kind === "request"
    ? partsOfRequest(message, refusal.place, operations, own)
    : { direction: "response", statuses };
};

/** Returns the operations of the contract that the change reaches, with the operation of the witness first. */
const operationsOf = (
  { reach }: Judged,
  witness: Pick<Witness, "operation">,
  contract: Contract,
): string[] => {
  const first = reach.filter(({ operation }) => operation === witness.operation);
  return [...new Set([first, reach].flatMap((one) => reachedOperations(one, contract)))];
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
  const credentials = message.credentials.map(({ wire }) => wire.replace(/:.*/, ""));
  return defined({ texts, body: message.body, mediaType: message.mediaType, credentials });
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
  { reach }: Judged,
  operations: readonly string[],
  contract: Contract,
): Record<string, string[]> =>
  Object.fromEntries(
    operations.map((operationId) => [
      operationId,
      reach
        .filter((one) => reachedOperations([one], contract).includes(operationId))
        .map(({ message }) => message.replace(/^response /, "")),
    ]),
  );

/** `schema Customer /name: maximum length narrowed from 9 to 5`. */
export const wordsOf = (entry: Entry): string => `${whereOf(entry)}: ${whatOf(entry)}`;

/** Returns the pointer without the alternatives that lead to the place. */
export const endOf = ({ pointer }: Entry): string =>
  pointer.replaceAll(/\([^)]*\)/g, "").replaceAll(/\{[^}]*\}/g, "*");
