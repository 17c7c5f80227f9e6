/** Renders the prediction of an upgrade for the terminal. */
import type { LostVerdict, Prediction } from "../certificate/prediction.ts";
import { cut } from "../text.ts";
import { whatOf, whereOf } from "./diff-report.ts";

/** Returns text that ends with a line feed. */
export const renderPrediction = (prediction: Prediction): string => {
  const {
    service,
    old: base,
    new: revision,
    kept,
    lost,
    unseen,
    relaxed,
    unpredicted,
    problems,
  } = prediction;
  const width = Math.max(0, ...lost.map(({ requirement }) => requirement.length));
  const rows = lost.map(({ requirement, now, change, ...more }) =>
    `  ${requirement.padEnd(width)}  passed → ${now.padEnd(9)}  ${(change ?? "").padEnd(10)}  ${whyOf(more)}`.trimEnd(),
  );
  const counts = [
    `${kept} ${kept === 1 ? "verdict" : "verdicts"} kept`,
    `${lost.length} lost`,
    ...(unseen.length > 0 ? [`${unseen.length} breaking changes that no verdict shows`] : []),
    ...(relaxed.length > 0 ? [`${relaxed.length} that fail only because more is accepted`] : []),
    ...(unpredicted.length > 0 ? [`${unpredicted.length} that did not pass on ${base.version} either`] : []),
  ];
  return [
    `${service}: a client certified against ${base.version}, on a sandbox of ${revision.version}`,
    ...rows,
    ...prediction.breaking.flatMap((change) => [
      `  ${change.fingerprint} is a breaking change: ${whereOf(change)}: ${whatOf(change)}`,
      `    ${change.why === undefined ? `it loses ${change.loses.join(", ")}` : `no verdict shows it: ${change.why}`}`,
    ]),
    counts.join(", "),
    ...problems.map((problem) => `incomplete: ${problem}`),
    "",
  ].join("\n");
};

const LONGEST = 160;

const whyOf = ({ seen: [first], reason }: Pick<LostVerdict, "seen" | "reason">): string => {
  const text = first === undefined ? (reason ?? "") : `${first.operationId}: ${first.message}`;
  const [line = ""] = text.split("\n", 1);
  return cut(line, LONGEST);
};
