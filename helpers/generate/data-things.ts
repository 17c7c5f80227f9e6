/** Data makers for companies, reports, files, addresses on the web and identifiers. */
import {
  alphanumerics,
  type DataMaker,
  type Draw,
  digits,
  freeText,
  lettersOnly,
  numeric,
  oneOf,
  repeatTo,
} from "./data-maker.ts";
import { fakerAt as at } from "./quick-faker.ts";

const uri = ({ leaf }: Draw): string =>
  `https://www.example.com/${at(leaf).lorem.slug(2)}/v${1 + (leaf % 9)}`;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#0d47a1"/></svg>';

/** A PDF is known by how it begins. */
const pdf = ({ leaf }: Draw): string => `%PDF-1.4\n% fictional pay statement ${leaf}\n%%EOF\n`;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const SECRET = "Aa1!";
const partnerSecret = (length: number, draw: Draw): string =>
  (SECRET + alphanumerics(length, draw).toLowerCase()).slice(0, Math.max(0, length));

export const THINGS: Readonly<Record<string, DataMaker>> = {
  "company-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "employer-name": freeText(({ leaf }) => `${lettersOnly(at(leaf).person.lastName())} Trading`),
  "employment-status": oneOf("A", "I"),
  "institution-name": freeText(({ leaf }) => `Bank of ${lettersOnly(at(leaf).person.lastName())}`),
  "institution-status": oneOf("online"),
  "aggregation-status": oneOf(0),
  "product-code": oneOf("voa", "voi"),
  "purpose-code": oneOf("31", "99"),
  "bundle-parts": oneOf("ach", "availableBalance", "accountOwner"),
  "location-id-type": oneOf("LOCATION_ID", "MERCHANT_ID"),
  "statement-index": oneOf("1"),
  "statement-indexes": oneOf("1", "1,2"),
  "report-title": freeText(() => "Fictional report"),
  "report-last-four": numeric(4),
  "metric-name": oneOf("averageBalance", "totalDeposits"),
  "risk-attribute": oneOf("daysSinceLastOverdraft", "averageDailyBalance"),
  "score-indicator": oneOf("low", "medium", "high"),
  "insight-match": oneOf("match", "no-match"),
  confidence: { make: ({ leaf }) => leaf % 101 },
  frequency: oneOf("Monthly", "BiWeekly", "Weekly"),
  "switch-status": oneOf("completed"),
  "error-code": oneOf("10000"),
  "content-type": oneOf("application/json"),
  "pay-statement": { make: (draw) => base64(pdf(draw)) },
  "svg-image": { make: () => base64(SVG) },
  "svg-url": { make: ({ leaf }) => `https://www.example.com/${leaf % 1_000_000}.svg` },
  color: oneOf("#1b5e20", "#0d47a1", "#4a148c"),
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
