/** Counts what took place: statuses of each operation, and what was observed where the documents are silent. */
import type { Contract, Operation } from "../helpers/contract/contract.ts";
import type { LedgerPage } from "../helpers/trials/ledger.ts";
import type { CertifiedOperation, ObservedGap } from "./certificate.ts";
import { byText, grouped } from "./order.ts";

/** A status of 0 stands for an exchange without a response: it took place, but shows no status. */
export const countStatuses = (operation: Operation, pages: readonly LedgerPage[]): CertifiedOperation => {
  const { service, operationId, method, path, section, deprecated } = operation;
  const documented = new Set(Object.values(operation.responses).map((response) => response.status));
  const counts = new Map<number, number>([...documented].map((status) => [status, 0]));
  for (const page of pages) {
    if (page.service !== service) continue;
    for (const row of page.operations) {
      if (row.operationId === operationId)
        counts.set(row.status, (counts.get(row.status) ?? 0) + row.observed);
    }
  }
  const exchanges = [...counts.values()].reduce((sum, times) => sum + times, 0);
  const statuses = [...counts].filter(([status]) => status !== 0).sort(([a], [b]) => a - b);
  return {
    ...{ service, operationId, method, path, section, deprecated, exchanges },
    statuses: statuses.map(([status, observed]) => ({
      status,
      documented: documented.has(status),
      observed,
    })),
  };
};

/** What the target did where the contract has a gap, gap by gap. */
export const observationsOf = ({ service, gaps }: Contract, pages: readonly LedgerPage[]): ObservedGap[] => {
  const all = pages.flatMap((page) => (page.service === service ? page.observations : []));
  return grouped(all, ({ subject }) => subject)
    .sort((a, b) => byText(a.title, b.title))
    .map(({ title: subject, items }) => ({
      service,
      subject,
      gap: gaps.find((gap) => gap.subject === subject)?.gap ?? null,
      observed: [...new Set(items.map(({ observed }) => observed))].sort(byText),
    }));
};
