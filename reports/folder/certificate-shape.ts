/** Checks that a file of somebody else is a certificate, before anything reads its parts. */
import type { Certificate } from "../certificate/certificate.ts";

type Shape = "text" | "number" | "object" | { readonly [name: string]: Shape } | readonly [Shape];

/** The parts that readers of certificates use. */
const PARTS = {
  target: { name: "text", baseUrls: "object" },
  contracts: [{ service: "text", version: "text" }],
  seed: "number",
  depth: "text",
  startedAt: "text",
  outcome: "text",
  summary: { passed: "number", failed: "number", advisory: "number", blocked: "number", notTried: "number" },
  requirements: [{ id: "text", service: "text", level: "text", verdict: "text" }],
  findings: [{ id: "text", requirement: "text", message: "text" }],
} as const satisfies Shape;

const FORMAT = "certificate/1" satisfies Certificate["format"];

/** Returns why this version can't read a file as a certificate: `is not a certificate`; `undefined` if it can. */
export const formatComplaint = (value: unknown): string | undefined => {
  const { format } = (value ?? {}) as Partial<Readonly<Record<string, unknown>>>;
  if (format === FORMAT) return undefined;
  return typeof format === "string" && /^certificate\/\d{1,4}$/.test(format)
    ? `has the format ${format}, and this version reads ${FORMAT}: give the certificate of a run of this version`
    : "is not a certificate: give the certificate.json of a run";
};

/** @returns the first part that is not as in a certificate: `summary/passed is no number` */
export const shapeComplaint = (value: unknown): string | undefined => complaintAt(value, PARTS, "");

const complaintAt = (value: unknown, shape: Shape, place: string): string | undefined => {
  if (shape === "text") return typeof value === "string" ? undefined : `${place} is no text`;
  if (shape === "number") return Number.isFinite(value) ? undefined : `${place} is no number`;
  if (Array.isArray(shape)) return complaintInList(value, shape[0] as Shape, place);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `${place || "it"} is no object`;
  if (shape === "object") return undefined;
  for (const [name, inner] of Object.entries(shape)) {
    const found = complaintAt(
      (value as Record<string, unknown>)[name],
      inner,
      place === "" ? name : `${place}/${name}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
};

const complaintInList = (value: unknown, item: Shape, place: string): string | undefined => {
  if (!Array.isArray(value)) return `${place} is no list`;
  for (const [index, one] of value.entries()) {
    const found = complaintAt(one, item, `${place}/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
};
