/** What a reader can do about a requirement that was not judged, by the reason that it tells. */
import { configuration } from "../../helpers/target/names.ts";

export interface Advice {
  /** Names the group of reasons that the same thing helps. */
  readonly title: string;
  readonly says: string;
}

/** In the order in which they are told: first what the reader can change. */
interface Rule extends Advice {
  readonly reason: RegExp;
}

const RULES: readonly Rule[] = [
  {
    reason: /\bBINDINGS\b/,
    title: "Bind a name",
    says: "The documents leave open how the target names this. Write the operationId and the JSON pointer into a YAML file, and give its path as BINDINGS.",
  },
  {
    reason: /\b(ALLOW_DESTRUCTIVE|ALLOW_LOCKING|MAX_BILLABLE_CALLS)\b|needs permission/,
    title: "Give a permission",
    says: "Nothing is destroyed, locked or billed unless the target's configuration allows it.",
  },
  {
    reason: /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/,
    title: "Set a variable",
    says: "In .env.NAME of the target, or in the environment, which wins.",
  },
  {
    reason: /^not selected$|in another shard|without --issuer|another --seed|in the document given/,
    title: "Ask for it",
    says: "This run was not asked about it: run it with other arguments, or merge the shards.",
  },
  {
    reason: /\bclock\b/,
    title: "Have a clock that can be moved",
    says: "Waiting this long is left to a target whose time can be moved, such as the embedded sandbox.",
  },
  {
    reason: /^needs /,
    title: "Offer what is missing",
    says: "The target has to hold this, or let it be made, before the requirement can be tried.",
  },
  {
    reason: /^obliges the (caller|listener)$/,
    title: "Keep it yourself",
    says: "It obliges whoever calls or listens, not the service: no run against a service can show it.",
  },
  {
    reason: /^not observable$/,
    title: "Ask the provider",
    says: "Nothing that shows from outside can tell whether it is kept.",
  },
];

const OTHERWISE: Advice = {
  title: "Look at what the target answered",
  says: "Its answers did not let the requirement be tried.",
};

/** The titles in the order in which groups are told. */
export const ADVICE_ORDER: readonly string[] = [...RULES.slice(0, 6), OTHERWISE, ...RULES.slice(6)].map(
  ({ title }) => title,
);

export const adviceFor = (reason: string): Advice =>
  RULES.find((rule) => rule.reason.test(reason)) ?? OTHERWISE;

/** The configuration names in a reason, with what each of them means. */
export const namesIn = (reason: string): { readonly name: string; readonly meaning: string }[] =>
  configuration()
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(reason))
    .map(({ name, meaning }) => ({ name, meaning }));
