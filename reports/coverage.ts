/** Counts what took place: statuses of each operation, and what was observed where the documents are silent. */
import type { Contract, Operation } from "../helpers/contract/contract.ts";
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import type { CertifiedOperation, ObservedGap } from "./certificate.ts";
import { byText } from "./order.ts";

/** A status of 0 stands for an exchange without a response: it took place, but shows no status. */
export const countStatuses = (operation: Operation, pages: readonly LedgerPage[]): CertifiedOperation => {
  const { service, operationId, method, path, section, deprecated } = operation;
  const documented = new Set(Object.values(operation.responses).map((response) => response.status));
  const observed = new Map<number, number>([...documented].map((status) => [status, 0]));
  let exchanges = 0;
  for (const page of pages) {
    if (page.service !== service) continue;
    for (const row of page.operations) {
      if (row.operationId !== operationId) continue;
      exchanges += row.observed;
      if (row.status !== 0) observed.set(row.status, (observed.get(row.status) ?? 0) + row.observed);
    }
  }
  const statuses = [...observed].sort(([a], [b]) => a - b);
  return {
    service,
    operationId,
    method,
    path,
    section,
    deprecated,
    exchanges,
    statuses: statuses.map(([status, times]) => ({
      status,
      documented: documented.has(status),
      observed: times,
    })),
  };
};

/** What the target did where the contract has a gap, gap by gap. */
export const observationsOf = (contract: Contract, pages: readonly LedgerPage[]): ObservedGap[] => {
  const bySubject = new Map<string, Set<string>>();
  for (const page of pages) {
    if (page.service !== contract.service) continue;
    for (const { subject, observed } of page.observations) {
      bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(observed));
    }
  }
  return [...bySubject]
    .sort(([a], [b]) => byText(a, b))
    .map(([subject, observed]) => ({
      service: contract.service,
      subject,
      gap: contract.gaps.find((gap) => gap.subject === subject)?.gap ?? null,
      observed: [...observed].sort(byText),
    }));
};
