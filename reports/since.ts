/** Says in lines what a bump of a provider's document touched, of which a run tried what it could. */
import type { Certificate } from "./certificate.ts";

export interface ToldBump {
  readonly title: string;
  readonly lines: readonly string[];
}

/** @param most ids of a line; `undefined` for a run that was not asked about a bump */
export const toldBump = ({ since }: Certificate, most: number): ToldBump | undefined => {
  if (since === undefined) return undefined;
  const { old, new: fresh, changes, touched, hanging, requirements } = since;
  const rows: readonly (readonly [label: string, ids: readonly string[]])[] = [
    ["operations touched", touched],
    ["operations that need what only those give", hanging],
    ["new requirements", requirements.added],
    ["requirements gone", requirements.gone],
    ["requirements changed", requirements.changed],
  ];
  const { breaking, undecided, compatible } = changes;
  return {
    title: `Bump from ${old.version} to ${fresh.version} (${old.file})`,
    lines: [
      `changes: ${breaking} breaking, ${undecided} undecided, ${compatible} compatible`,
      ...rows.map(([label, ids]) => `${ids.length} ${label}${listed(ids, most)}`),
    ],
  };
};

const listed = (ids: readonly string[], most: number): string => {
  if (ids.length === 0) return "";
  const more = ids.length > most ? `, and ${ids.length - most} more in the certificate` : "";
  return `: ${ids.slice(0, most).join(", ")}${more}`;
};
