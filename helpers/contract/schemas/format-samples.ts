/** Values that match the formats which the validators check, and values that do not match. */
import formats from "./formats.json" with { type: "json" };

export const FORMAT_SAMPLES: Readonly<Record<string, readonly unknown[]>> = formats.samples;

/** Values that certainly violate a format, by format and by kind of error. */
export const FORMAT_SLIPS: Readonly<Record<string, typeof FORMAT_SAMPLES>> = formats.slips;

/** Well-formed codes that ISO reserves or has not assigned. */
export const UNASSIGNED: typeof FORMAT_SAMPLES = formats.unassigned;

const MASKED = "masked-or-";

/** Returns the unmasked part of the value's format. */
export const unmasked = (format: unknown): string => String(format ?? "").replace(MASKED, "");

/** Returns texts of the format; an empty list if the format is unknown. */
export const samplesOf = (format: unknown): readonly string[] => {
  const name = unmasked(format);
  const samples = Object.hasOwn(FORMAT_SAMPLES, name) ? (FORMAT_SAMPLES[name] ?? []) : [];
  return samples.filter((sample) => typeof sample === "string");
};

/** Values of every type. Most of them do not match a given format. */
export const ASSORTED: readonly unknown[] = [
  ...new Set([...Object.values(FORMAT_SAMPLES).flat(), ...formats.assorted]),
];
