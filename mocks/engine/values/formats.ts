/** String formats that the sandbox enforces in requests. */
import { isIP } from "node:net";

/** The steps of a JSON pointer (RFC 6901, 3). */
const STEPS = "(/([^~/]|~[01])*)*";

/** By name of the `format`. A format that is not listed accepts every value. */
export const FORMATS: Readonly<Record<string, RegExp | ((value: string) => boolean)>> = {
  "iso-3166-alpha-2": /^[A-Za-z]{2}$/,
  "iso-639-1": /^[A-Za-z]{2}$/,
  uuid: /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: (value) => /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value) && URL.canParse(value),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value),
  "date-time": (value) => isInstant(value, /[Tt].*(?:[Zz]|[+-]\d{2}:\d{2})$/),
  time: /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i,
  duration: /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/,
  url: (value) => /^https?:\S+$/.test(value) && URL.canParse(value),
  hostname: (value) => value.length <= 253 && value.split(".").every((label) => LABEL.test(label)),
  ipv4: (value) => isIP(value) === 4,
  ipv6: (value) => isIP(value) === 6,
  byte: /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  "json-pointer": new RegExp(`^${STEPS}$`),
  "json-pointer-uri-fragment": new RegExp(`^#${STEPS}$`),
  "relative-json-pointer": new RegExp(`^(0|[1-9]\\d*)(#|${STEPS})$`),
  "utc-datetime": (value) => isInstant(value, /T[^+]*(?:Z|[+-]00:?00)?$/),
};

/** A part of a host name (RFC 1123, 2.1). */
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

/** Number formats. JSON parsers may round the largest values up, so the rounded values are accepted. */
export const NUMBER_FORMATS: Readonly<
  Record<
    string,
    {
      readonly type: "number";
      validate(value: number): boolean;
    }
  >
> = {
  int32: {
    type: "number",
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  },
  int64: { type: "number", validate: (value: number) => value >= -(2 ** 63) && value <= 2 ** 63 },
};

const isDay = (value: string): boolean => {
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
};

const isInstant = (value: string, notation: RegExp): boolean =>
  isDay(value.slice(0, 10)) && notation.test(value) && !Number.isNaN(Date.parse(value));
