/** Formats that the validators judge, with values that fit them. */
import { FORMATS } from "../../contract/formats.ts";

const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  date: ["2024-01-31", "1999-12-01"],
  time: ["10:15:30Z"],
  "date-time": ["2024-01-31T10:15:30Z", "1999-12-01T00:00:00+02:00"],
  "iso-time": ["10:15:30"],
  "iso-date-time": ["2024-01-31T10:15:30"],
  duration: ["P3D", "PT15M"],
  uri: ["https://www.example.com/terms", "urn:example:one"],
  "uri-reference": ["/terms", "https://www.example.com/terms"],
  "uri-template": ["https://www.example.com/{name}"],
  url: ["https://www.example.com/terms"],
  email: ["anna@example.com", "b@example.org"],
  hostname: ["www.example.com"],
  ipv4: ["192.0.2.1"],
  ipv6: ["2001:db8::1"],
  regex: ["^a+$"],
  uuid: ["2f1c7a52-6d3e-4b8a-9c01-5e7f8a9b0c1d"],
  "json-pointer": ["/a/b"],
  "json-pointer-uri-fragment": ["#/a/b"],
  "relative-json-pointer": ["1/a"],
  byte: ["dGV4dA=="],
  int32: [0, 2 ** 31 - 1],
  int64: [0, 2 ** 31, 2 ** 40],
  "utc-datetime": ["2024-01-31T10:15:30Z", "20240131T101530"],
  "iso-3166-alpha-2": ["US", "de"],
  "iso-639-1": ["en", "de"],
};

const MASKED = "masked-or-";

/** Whether a validator can tell a value that fits from one that does not. */
export const isJudged = (format: unknown): boolean => {
  const name = String(format);
  const plain = name.startsWith(MASKED) ? name.slice(MASKED.length) : name;
  return typeof format === "string" && (Object.hasOwn(SAMPLES, plain) || Object.hasOwn(FORMATS, plain));
};

/** Whether every value of the one format is certainly one of the other. */
export const isNarrowerFormat = (one: unknown, other: unknown): boolean =>
  (isJudged(one) && !isJudged(other)) || (one === "int32" && other === "int64");

export const samplesOf = (format: unknown): readonly unknown[] => {
  const name = String(format).replace(MASKED, "");
  return Object.hasOwn(SAMPLES, name) ? (SAMPLES[name] as readonly unknown[]) : [];
};

/** Values of every kind, most of which fit no format that is asked for. */
export const ASSORTED: readonly unknown[] = [
  ...new Set([
    ...Object.values(SAMPLES).flat(),
    "",
    "no format",
    "0",
    "-1",
    "2024-02-30",
    0.5,
    2 ** 53,
    "ä",
    "A1",
  ]),
];
