/** Finds the recorded calls that a new version of a document refuses, and the changes of the document that refuse them. */
import { isAt, versionOf } from "../../../helpers/contract/changes.ts";
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { ContractChange } from "../../../helpers/contract/contract-change.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import type { Redactor } from "../../../helpers/exchange/redact.ts";
import { createMatcher } from "../../../helpers/traffic/match.ts";
import type { Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { counted } from "../../../reports/text.ts";
import { judgeByRules } from "../judging/contract-rules.ts";

/** A reason for which the new document refuses a call. */
interface Refusal extends Pick<ContractChange, "place" | "pointer" | "keyword"> {
  readonly operationId: string;
  readonly text: string;
}

/** The calls that are refused for one reason. */
interface Refused {
  readonly first: string;
  calls: number;
}

/** @param earlier what `openEarlier` returns; without it, all that the new document refuses is told */
export const openChangedCalls = (
  contract: Contract,
  earlier: ReturnType<typeof openEarlier> | undefined,
  { about }: Pick<Redactor, "about">,
) => {
  const refusedNow = judgeByRules(contract);
  const refused = new Map<string, Refused>();
  let [calls, broken] = [0, 0];

  const refusalsOf = (seen: Seen): readonly Refusal[] => {
    const old = earlier?.operationOf(seen);
    const operationId = seen.operation?.operationId ?? old?.operationId ?? "";
    if (!has(contract, seen.operation)) return old === undefined ? [] : [{ ...NO_OPERATION, operationId }];
    const known = old && earlier?.refusedBefore({ ...seen, operation: old }).filter(isBroken);
    return refusedNow(seen)
      .filter(isBroken)
      .filter((one) => !known?.some((other) => isSamePlace(one, other)))
      .map(({ rule, result }) => ({
        operationId,
        place: rule?.place !== undefined ? `${rule.place} ${rule.parameter}` : placeOf(result.pointer),
        pointer: rule?.place === undefined ? result.pointer : "",
        keyword: rule?.keyword ?? "",
        text: about([seen.exchange]).result(result).message,
      }));
  };

  return {
    see(seen: Seen): void {
      if (seen.service !== contract.service) return;
      calls += 1;
      const { id, request } = seen.exchange;
      const reasons = new Set(refusalsOf(seen).map((one) => earlier?.changeOf(one) ?? one.text));
      if (reasons.size > 0) broken += 1;
      const first = [id, request.method, seen.operation?.path ?? earlier?.operationOf(seen)?.path].join(" ");
      for (const why of reasons) getOrInsert(refused, why, (): Refused => ({ first, calls: 0 })).calls += 1;
    },
    /** Returns lines for the terminal and the certificate. */
    lines(): string[] {
      const which = `your ${counted(calls, "recorded call")}`;
      const version = versionOf(contract);
      if (broken === 0) return [`None of ${which} is refused by ${version}.`];
      return [
        `${broken} of ${which} ${broken === 1 ? "is" : "are"} refused by ${version}:`,
        ...[...refused].map(([why, one]) => `  ${why}: ${counted(one.calls, "call")}, first ${one.first}`),
      ];
    },
  };
};

const NO_OPERATION = { place: "operation", pointer: "", keyword: "", text: "it has no such operation" };

/** Whether the document has the operation. The contract keeps the operations that a provider's document dropped. */
const has = ({ differences }: Contract, operation: Operation | undefined): operation is Operation =>
  operation !== undefined && !differences.lacking.includes(operation.operationId);

const isBroken = ({ result }: StoredResult): boolean => !result.holds;

const isSamePlace = (one: StoredResult, other: StoredResult): boolean =>
  one.rule?.keyword === other.rule?.keyword && one.result.pointer === other.result.pointer;

const placeOf = (pointer: string): string => (pointer === "content-type" ? "media type" : "body");

/**
 * Returns how the document before judges a call, and what the diff says about a refusal.
 * @param all what changed since
 * @param baseUrl the address of the service in the traffic
 */
export const openEarlier = (base: Contract, all: readonly ContractChange[], baseUrl: string) => {
  const match = createMatcher([base], { [base.service]: baseUrl });
  const changes = all.filter(({ direction }) => direction === "request");
  return {
    refusedBefore: judgeByRules(base),
    operationOf({ exchange: { request } }: Seen): Operation | undefined {
      const found = URL.canParse(request.url) ? match(request.method, new URL(request.url)) : undefined;
      return has(base, found?.operation) ? found?.operation : undefined;
    },
    /** Returns the fingerprint and the words of the change; `undefined` if the diff shows none. */
    changeOf({ operationId, place, pointer, keyword }: Refusal): string | undefined {
      const own = changes.filter(
        (one) => one.place === place && one.operations.includes(operationId) && isAt(pointer, one.end ?? ""),
      );
      const found = own.find((one) => one.keyword === keyword) ?? own[0];
      return found && `${found.requirement.split(".").at(-1)} ${found.words}`;
    },
  };
};
