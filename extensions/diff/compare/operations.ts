/** Pairs the operations of two documents and compares each pair as a whole. */
import { canonical } from "../../../helpers/contract/json.ts";
import { type ApiDocument, type ApiOperation, type Both, sendersOf } from "../document/model.ts";
import { announcementOf } from "../document/sunset.ts";
import {
  type Findings,
  ownerOf,
  recordChange,
  recordEnd,
  recordValue,
  type SchemaLocation,
} from "./found.ts";
import { compareRequests } from "./requests.ts";
import { compareResponses } from "./responses.ts";
import { namesOf } from "./rules.ts";
import { compareSecurity } from "./security.ts";

export const compareOperations = (base: ApiDocument, revision: ApiDocument): Findings => {
  const findings: Findings = { found: [], roots: [] };
  const { pairs, gone, added } = paired(base.operations, revision.operations);
  for (const operation of gone) comesOrGoes(findings, operation, "removed");
  for (const operation of added) comesOrGoes(findings, operation, "added");
  for (const pair of pairs) {
    const location = { ...locationOf(findings, pair.new), pair };
    compareNames(location, pair);
    compareServers(location, pair);
    compareSecurity(location, pair, { old: base.securitySchemes, new: revision.securitySchemes });
    compareRequests(findings, pair);
    compareResponses(findings, pair);
  }
  return findings;
};

/** Pairs operations by method and path, ignoring the names of path parameters, and then by operationId. */
const paired = (base: readonly ApiOperation[], revision: readonly ApiOperation[]) => {
  const byKey = new Map(revision.map((operation) => [operation.key, operation]));
  const pairs = base.flatMap((operation): Both<ApiOperation>[] => {
    const counterpart = byKey.get(operation.key);
    return counterpart === undefined ? [] : [{ old: operation, new: counterpart }];
  });
  const taken = new Set(pairs.flatMap(({ old: one, new: other }) => [one, other]));
  const left = new Map(
    revision
      .filter((one) => !taken.has(one) && one.operationId !== undefined)
      .map((one) => [one.operationId, one]),
  );
  for (const operation of base.filter((one) => !taken.has(one))) {
    const counterpart = operation.operationId === undefined ? undefined : left.get(operation.operationId);
    if (counterpart === undefined || counterpart.kind !== operation.kind) continue;
    pairs.push({ old: operation, new: counterpart });
    taken.add(operation).add(counterpart);
    left.delete(operation.operationId);
  }
  return {
    pairs,
    gone: base.filter((one) => !taken.has(one)),
    added: revision.filter((one) => !taken.has(one)),
  };
};

const locationOf = (findings: Findings, operation: ApiOperation): Omit<SchemaLocation, "pair"> => ({
  findings,
  sender: sendersOf(operation).request,
  owner: operation.label,
  part: "",
});

const comesOrGoes = (findings: Findings, operation: ApiOperation, action: "added" | "removed"): void => {
  const { note, isOver } = announcementOf(operation);
  const pair = action === "added" ? { old: undefined, new: operation } : { old: operation, new: undefined };
  recordChange(
    { ...locationOf(findings, operation), pair },
    {
      rule: operation.kind === "call" ? "operation" : "delivery",
      action,
      place: "operation",
      subject: operation.operationId ?? operation.label,
      ...(action === "removed" && { note }),
      ...(action === "removed" && isOver && { isAnnounced: true }),
    },
  );
};

const compareNames = (location: SchemaLocation, { old: base, new: revision }: Both<ApiOperation>): void => {
  const place = "operation";
  if (base.key !== revision.key)
    recordChange(location, {
      ...{ rule: "path", action: "changed", place, old: base.label, new: revision.label },
      // A fixed path has no other message.
      ...(!base.path.includes("{") && { isDecisive: true }),
    });
  recordValue(location, { rule: "operationId", place }, base.operationId, revision.operationId);
  recordEnd(location, { rule: "operation.deprecated", place }, base, revision);
  for (const rule of ["tags", "stability", "encoding"] as const)
    recordValue(location, { rule, place }, base.facts[rule], revision.facts[rule]);
  for (const part of namesOf(base.limits, revision.limits))
    recordValue({ ...location, part }, { rule: "limit", place }, base.limits[part], revision.limits[part]);
};

const compareServers = (location: SchemaLocation, pair: Both<ApiOperation>): void => {
  const [base, revision] = [pair.old.servers, pair.new.servers];
  const owned = { ...location, owner: ownerOf(base, revision, pair) };
  if (canonical(base.urls) === canonical(revision.urls)) {
    const rule = "server.variables";
    recordValue(owned, { rule, place: "server", drafts: [] }, base.variables, revision.variables);
    return;
  }
  for (const action of ["removed", "added"] as const) {
    const [has, lacks] = action === "removed" ? [base.urls, revision.urls] : [revision.urls, base.urls];
    for (const url of has.filter((one) => !lacks.includes(one)))
      recordChange(owned, {
        rule: "server",
        action,
        place: "server",
        drafts: [{ server: url }],
        subject: url,
      });
  }
};
