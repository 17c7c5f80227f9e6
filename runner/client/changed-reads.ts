/** Finds the fields of answers that a client reads, and that a new version of a document may no longer send as before. */
import type { Uses } from "../../helpers/client/uses.ts";
import { isAt, versionOf } from "../../helpers/contract/changes.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { endOf } from "../../helpers/diff/contract-changes.ts";
import type { Entry } from "../../helpers/diff/entry.ts";
import { touchedOperations } from "../../helpers/diff/touched.ts";
import { diffOfFiles } from "../../helpers/diff/upgrade.ts";
import { whatOf, whereOf } from "../../reports/render/diff-report.ts";

/** @param base the contract with the document before @returns lines for the terminal and the certificate */
export const changedReads = (contract: Contract, base: Contract, { services }: Uses): string[] => {
  const uses = Object.entries(services[contract.service] ?? {});
  const { entries } = diffOfFiles(base.provider?.file ?? "", contract.provider?.file ?? "");
  const lines = entries.flatMap((entry) => {
    const reached = answersReached(entry, base);
    const reads = uses.flatMap(([operationId, { read }]) => {
      const fields = reached.includes(operationId)
        ? read.filter((field) => isWithin(field, endOf(entry)))
        : [];
      return fields.length === 0 ? [] : [`${operationId} ${fields.join(", ")}`];
    });
    const change = `${entry.fingerprint} ${whereOf(entry)}: ${whatOf(entry)}`;
    return reads.length === 0 ? [] : [`  ${change}: your client reads ${reads.join("; ")}`];
  });
  const version = versionOf(contract);
  return lines.length === 0
    ? [`${version} sends all that your client reads as before.`]
    : [`${version} may no longer send as before what your client reads:`, ...lines];
};

/** Returns the operationIds whose answers may change for who reads them. */
const answersReached = (entry: Entry, contract: Contract): string[] => {
  const judged = entry.judged
    .filter((one) => one.class !== "compatible")
    .map((one) => ({ ...one, reach: one.reach.filter(({ message }) => message.startsWith("response ")) }));
  return touchedOperations({ entries: [{ ...entry, judged }] }, contract);
};

/** Whether a field, or what contains it, is at the place of a change. */
const isWithin = (field: string, end: string): boolean =>
  field.split("/").some((_, at, segments) => isAt(segments.slice(0, at + 1).join("/"), end));
