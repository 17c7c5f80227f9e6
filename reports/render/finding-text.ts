/** A finding as a few lines of text, with long values cut. The certificate has the whole values. */
import type { NoCommand } from "../../helpers/exchange/commands.ts";
import type { RecordedExchange } from "../../helpers/exchange/exchange.ts";
import type { RecordedStep } from "../../helpers/trials/failure.ts";
import type { AdvisoryCause, Certificate, Finding } from "../certificate/certificate.ts";
import { groupByTitle } from "../order.ts";
import { acceptedBy, counted, cut } from "../text.ts";
import { placeOf } from "./causes.ts";
import { withVerdict } from "./reasons.ts";

/** The longest value, and the longest command, because a cut command is of no use. */
const LONGEST = { value: 200, command: 1_000 };

/**
 * Returns the head (`f-1  parcels.limits (provider)`), at most eleven rows of one line each with their labels, the same in
 * one line, and what the finding is.
 * @param others the findings with the same cause
 */
export const findingText = (
  certificate: Certificate,
  finding: Finding,
  others: readonly Finding[] | undefined = [],
) => {
  const { id, accepted, operationId, message, expected, actual, sequence, exchanges, also } = finding;
  const requirement = certificate.requirements.find((one) => one.id === finding.requirement);
  const cause = certificate.advisories?.find((one) => one.example === id);
  const level = requirement && requirement.level !== "documented" ? ` (${requirement.level})` : "";
  const value = (text: string): string => cut(text.replaceAll(/\s+/g, " "), LONGEST.value);
  const [[, ...same] = [], ...places] = groupByTitle([finding, ...others], placeOf).map(({ items }) => items);
  const elsewhere = places.flatMap(([one]) => one ?? []);
  const shown =
    finding.curl === "" ? value(exchanges.map(exchangeText).join("; ")) : commandText(finding.curl);
  const given: (readonly [label: string, text: string | false | undefined])[] = [
    ["promised", requirement && value(`${finding.promise ?? requirement.statement} (${requirement.source})`)],
    ["seen", value(`${operationId}: ${message}`)],
    ["expected", value(expected)],
    ["got", value(actual)],
    ["also seen", also && value(also.join("; "))],
    ["also breaks", value(namesOf(same, "requirement"))],
    ["also at", elsewhere.length > 0 && value(placesText(elsewhere))],
    ["cause", cause && cause.cause !== finding.requirement && advisoryText(cause)],
    ["steps", sequence && stepsText(sequence, finding.exchanges[0])],
    [finding.curl === "" ? "example" : "curl", !sequence && shown],
    ["no curl", !sequence && finding.noCurl && NO_CURL[finding.noCurl]],
    ["replay", finding.replay],
    ["fingerprint", `${finding.fingerprint}${accepted ? `, accepted ${value(acceptedBy(accepted))}` : ""}`],
  ];
  const rows = given.flatMap(([label, text]) => (text ? [[label, text] as const] : []));
  const more = elsewhere.length === 0 ? "" : `; also at ${counted(elsewhere.length, "more place")}`;
  return {
    head: `${id}  ${finding.requirement}${level}`,
    rows,
    line: value(`${operationId}: ${message}; expected ${expected}; got ${actual}${more}`),
    state: accepted ? "accepted" : requirement?.verdict === "advisory" ? "advisory" : "failed",
  };
};

/** Returns the rows of a finding as lines for logs and code hosts. */
export const findingLines = (...given: Parameters<typeof findingText>): string[] =>
  findingText(...given).rows.map(([label, text]) => `${label}: ${text}`);

/** Returns the cause as text: `schema Parcel: 8 requirements of sendParcel, trackParcel and 6 more`. */
export const advisoryText = ({ cause, requirements, operations }: AdvisoryCause): string =>
  `${cause}: ${counted(requirements.length, "requirement")} of ${someOf(operations)}`;

const NAMES_SHOWN = 3;

/** `sendParcel, trackParcel, getParcel and 6 more` */
export const someOf = (names: readonly string[]): string => {
  const rest = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
};

export const NO_CURL: Readonly<Record<NoCommand, string>> = {
  identifier: "it needs what no call gives again",
  secret: "it sends a secret that is not among the settings",
  calls: "it needs more calls than a command makes",
  length: "the command would be too long",
  steps: "its steps show it",
  actions: "no call shows it",
  delivery: "the target sends it",
};

/** `2 more places: getParcel (f-2), listParcels (f-3)` */
const placesText = (others: readonly Finding[]): string =>
  `${counted(others.length, "more place")}: ${namesOf(others, "operationId")}`;

const namesOf = (findings: readonly Finding[], name: "requirement" | "operationId"): string =>
  findings.map((one) => `${one[name]} (${one.id})`).join(", ");

const commandText = (curl: string): string => {
  const line = curl.replaceAll("\n", "\\n");
  return line.length <= LONGEST.command ? line : `${cut(line, LONGEST.value)} (whole in the certificate)`;
};

/** Returns the number of steps, and the step that shows the violation. */
const stepsText = (steps: readonly RecordedStep[], shows?: RecordedExchange): string => {
  const shown = steps.find(({ exchange }) => shows && exchange?.id === shows.id) ?? steps.at(-1);
  return `${counted(steps.length, "step")}${shown ? `; it shows at: ${cut(stepText(shown), LONGEST.value)}` : ""}`;
};

const LONGEST_BODY = 160;

const stepText = ({ title, exchange, act }: RecordedStep): string => {
  if (act?.kind === "link-accounts") return `${title}: accounts are linked to customer ${act.customer}`;
  if (act?.kind === "pass") return `${title}: ${act.seconds} seconds pass`;
  if (exchange === undefined) return title;
  return `${title}: ${exchangeText(exchange)}`;
};

/** Returns `GET /parcels?limit=2 → 200`, with the start of the request's body if it has one. */
export const exchangeText = ({ request, response }: RecordedExchange): string => {
  const { method, url, body } = request;
  // `new URL` would resolve dot segments.
  const place = cut(url.replace(/^\w+:\/\/[^/?#]*/, ""), LONGEST.value);
  const sent = body === undefined ? "" : ` ${cut(body.replaceAll(/\s+/g, " "), LONGEST_BODY)}`;
  return `${method} ${place}${sent} → ${response?.status ?? "no answer"}`;
};

/**
 * Returns the findings of requirements that fail: violations before accepted ones, and the first finding of every
 * requirement before further findings.
 */
export const failures = (certificate: Certificate): Finding[] => {
  const advised = new Set(withVerdict(certificate, "advisory").map(({ id }) => id));
  const seen = new Set<string>();
  return certificate.findings
    .filter(({ requirement }) => !advised.has(requirement))
    .map((finding) => {
      const isFurther = seen.has(finding.requirement);
      seen.add(finding.requirement);
      return { finding, rank: (finding.accepted ? 2 : 0) + (isFurther ? 1 : 0) };
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ finding }) => finding);
};
