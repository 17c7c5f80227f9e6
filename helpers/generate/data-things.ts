/** Data makers for companies, reports, files, addresses on the web and identifiers. */
import {
  alphanumerics,
  type DataMaker,
  type Draw,
  digits,
  freeText,
  lettersOnly,
  numeric,
  repeatTo,
} from "./data-maker.ts";
import { fakerAt as at } from "./quick-faker.ts";

const uri = ({ leaf }: Draw): string =>
  `https://www.example.com/${at(leaf).lorem.slug(2)}/v${1 + (leaf % 9)}`;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" minDepth="8" fill="#0d47a1"/></svg>';

/** A PDF is known by how it begins. */
const pdf = ({ leaf }: Draw): string => `%PDF-1.4\n% fictional pay statement ${leaf}\n%%EOF\n`;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const SECRET = "Aa1!";
const partnerSecret = (length: number, draw: Draw): string =>
  (SECRET + alphanumerics(length, draw).toLowerCase()).slice(0, Math.max(0, length));

export const THINGS: Readonly<Record<string, DataMaker>> = {
  "company-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "employer-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "institution-name": freeText(({ leaf }) => `Bank of ${lettersOnly(at(leaf).person.lastName())}`),
  "report-last-four": numeric(4),
  confidence: { make: ({ leaf }) => leaf % 101 },
  "pay-statement": { make: (draw) => base64(pdf(draw)) },
  "svg-image": { make: () => base64(SVG) },
  "svg-url": { make: ({ leaf }) => `https://www.example.com/${leaf % 1_000_000}.svg` },
  uuid: { make: ({ leaf }) => at(leaf).string.uuid().toLowerCase() },
  uri: { make: uri, ofLength: (length, draw) => repeatTo(`${uri(draw)}/`, length) },
  reference: {
    make: (draw) => alphanumerics(24, draw),
    ofLength: alphanumerics,
    freeText: true,
    known: true,
  },
  "request-id": { make: (draw) => alphanumerics(10, draw).toLowerCase() },
  digits: numeric(6),
  text: freeText(({ leaf }) => at(leaf).lorem.words(3)),
  "signing-key": { make: (draw) => digits(32, draw), ofLength: digits },
  "partner-secret": { make: (draw) => partnerSecret(20, draw), ofLength: partnerSecret },
};
