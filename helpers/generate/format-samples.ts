/** Values that fit the formats which the validators judge, and values that do not. */
import formats from "./formats.json" with { type: "json" };

type Values = Readonly<Record<string, readonly unknown[]>>;

export const FORMAT_SAMPLES: Values = formats.samples;

/** Values that certainly have another form, by format and by what is wrong with them. */
export const FORMAT_SLIPS: Readonly<Record<string, Values>> = formats.slips;

/** Well-formed codes that ISO keeps free or has not assigned. */
export const UNASSIGNED: Values = formats.unassigned;

const MASKED = "masked-or-";

/** The format that a value has where it is not masked. */
export const unmasked = (format: unknown): string => String(format ?? "").replace(MASKED, "");

/** Texts of the format; none where there is no such format. */
export const samplesOf = (format: unknown): readonly string[] => {
  const name = unmasked(format);
  const samples = Object.hasOwn(FORMAT_SAMPLES, name) ? (FORMAT_SAMPLES[name] ?? []) : [];
  return samples.filter((sample) => typeof sample === "string");
};

/** Values of every kind, most of which fit no format that is asked for. */
export const ASSORTED: readonly unknown[] = [
  ...new Set([...Object.values(FORMAT_SAMPLES).flat(), ...formats.assorted]),
];
