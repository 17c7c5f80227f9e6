/** Values that fit the formats which the validators judge. */

export const FORMAT_SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
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
  ...new Set([
    ...Object.values(FORMAT_SAMPLES).flat(),
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
