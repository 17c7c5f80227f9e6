/** Pairs the operations of two documents and compares what is said of each as a whole. */

import { canonical, isSame } from "../../contract/json.ts";
import type { ApiDocument, ApiOperation, Sender } from "../document/model.ts";
import type { Action } from "./effect.ts";
import type { Findings, Matched } from "./found.ts";
import { compareRequests } from "./requests.ts";
import { compareResponses } from "./responses.ts";
import { effectOf, type RuleName } from "./rules.ts";
import { compareSecurity } from "./security.ts";

export const compareOperations = (old: ApiDocument, fresh: ApiDocument): Findings => {
  const findings: Findings = { found: [], roots: [] };
  const { pairs, gone, added } = paired(old.operations, fresh.operations);
  for (const operation of gone) comesOrGoes(findings, operation, "removed");
  for (const operation of added) comesOrGoes(findings, operation, "added");
  for (const pair of pairs) {
    compareNames(findings, pair);
    compareServers(findings, pair);
    compareSecurity(findings, pair);
    compareRequests(findings, pair);
    compareResponses(findings, pair);
  }
  return findings;
};

interface Paired {
  readonly pairs: readonly Matched[];
  readonly gone: readonly ApiOperation[];
  readonly added: readonly ApiOperation[];
}

/** By method and path, whatever parameters of the path are called; then by operationId. */
const paired = (old: readonly ApiOperation[], fresh: readonly ApiOperation[]): Paired => {
  const byKey = new Map(fresh.map((operation) => [operation.key, operation]));
  const pairs = old.flatMap((operation): Matched[] => {
    const partner = byKey.get(operation.key);
    return partner === undefined ? [] : [{ old: operation, new: partner }];
  });
  const taken = new Set(pairs.flatMap(({ old: one, new: other }) => [one, other]));
  const left = new Map(
    fresh
      .filter((one) => !taken.has(one) && one.operationId !== undefined)
      .map((one) => [one.operationId, one]),
  );
  for (const operation of old.filter((one) => !taken.has(one))) {
    const partner = operation.operationId === undefined ? undefined : left.get(operation.operationId);
    if (partner === undefined || partner.kind !== operation.kind) continue;
    pairs.push({ old: operation, new: partner });
    taken.add(operation).add(partner);
    left.delete(operation.operationId);
  }
  return {
    pairs,
    gone: old.filter((one) => !taken.has(one)),
    added: fresh.filter((one) => !taken.has(one)),
  };
};

const senderOf = ({ kind }: ApiOperation): Sender => (kind === "call" ? "caller" : "service");

const comesOrGoes = ({ found }: Findings, operation: ApiOperation, action: "added" | "removed"): void => {
  const rule = operation.kind === "call" ? "operation" : "delivery";
  const added = action === "added";
  found.push({
    change: {
      rule,
      action,
      effect: effectOf(rule, action),
      subject: operation.operationId ?? operation.label,
      ...(!added && { note: operation.deprecated ? "after notice" : "without notice" }),
    },
    owner: operation.label,
    part: "",
    pointer: "",
    occurrences: [
      {
        old: added ? undefined : operation,
        new: added ? operation : undefined,
        message: { sender: senderOf(operation), place: "operation" },
        drafts: [{}],
      },
    ],
  });
};

const compareNames = ({ found }: Findings, pair: Matched): void => {
  const { old, new: fresh } = pair;
  const tell = (
    rule: RuleName,
    action: Action,
    values: { old?: unknown; new?: unknown },
    part: string,
  ): void =>
    void found.push({
      change: { rule, action, effect: effectOf(rule, action), ...values },
      owner: fresh.label,
      part,
      pointer: "",
      occurrences: [{ ...pair, message: { sender: senderOf(fresh), place: "operation" }, drafts: [{}] }],
    });
  if (old.key !== fresh.key) tell("path", "changed", { old: old.label, new: fresh.label }, "");
  if (old.operationId !== fresh.operationId) {
    const action =
      old.operationId === undefined ? "added" : fresh.operationId === undefined ? "removed" : "changed";
    tell("operationId", action, { old: old.operationId, new: fresh.operationId }, "");
  }
  if (old.deprecated !== fresh.deprecated)
    tell("operation.deprecated", fresh.deprecated ? "added" : "removed", {}, "");
  for (const name of new Set([...Object.keys(old.limits), ...Object.keys(fresh.limits)])) {
    const [before, after] = [old.limits[name], fresh.limits[name]];
    if (isSame(before, after)) continue;
    const action = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    tell("limit", action, { old: before, new: after }, name);
  }
};

const compareServers = ({ found }: Findings, pair: Matched): void => {
  const [old, fresh] = [pair.old.servers, pair.new.servers];
  if (canonical(old.urls) === canonical(fresh.urls)) return;
  const owner = old.owner === fresh.owner ? fresh.owner : pair.new.label;
  for (const action of ["removed", "added"] as const) {
    const [has, lacks] = action === "removed" ? [old.urls, fresh.urls] : [fresh.urls, old.urls];
    for (const url of has.filter((one) => !lacks.includes(one)))
      found.push({
        change: { rule: "server", action, effect: effectOf("server", action), subject: url },
        owner,
        part: "",
        pointer: "",
        occurrences: [
          { ...pair, message: { sender: senderOf(pair.new), place: "server" }, drafts: [{ server: url }] },
        ],
      });
  }
};
