/** Renders the reasons why requirements were not judged, with advice for the reader. */
import { moveOf } from "../../../helpers/reasons/reason.ts";
import type { Certificate, CertifiedRequirement } from "../../certificate/certificate.ts";
import { type Group, groupByTitle, largestFirst } from "../../order.ts";
import { count, counted } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { ADVICE, adviceFor, byReason, namesIn, reasonOf, withVerdict } from "../reasons.ts";
import { foldedRest, linkToRequirement, section } from "./words.ts";

const TITLES = ADVICE.map(({ title }) => title);

/** The title for reasons without advice, in certificates of earlier versions. */
const OTHERS = "Other reasons";

export const blockedPart = (certificate: Certificate): Markup | undefined => {
  const blocked = withVerdict(certificate, "blocked");
  if (blocked.length === 0) return undefined;
  const intro = `${counted(blocked.length, "requirement")} should have been tried, but could not be. Fix the cause and run again.`;
  return section("blocked", "Blocked", html`\n<p class="intro">${intro}</p>\n${reasons(blocked)}`);
};

export const notTriedPart = (certificate: Certificate): Markup => {
  const untried = withVerdict(certificate, "not-tried");
  const isYours = (one: CertifiedRequirement): boolean =>
    moveOf(adviceFor(certificate, one)?.code) === "user";
  const yours = count(untried.filter(isYours).length);
  const intro =
    untried.length === 0
      ? "Every requirement was tried."
      : `${counted(untried.length, "requirement")} not judged, grouped by what you can do. ${yours} of them can change with your next run.`;
  const groups = groupByTitle(untried, (requirement) => adviceFor(certificate, requirement)?.title ?? OTHERS)
    .sort((a, b) => TITLES.indexOf(a.title) - TITLES.indexOf(b.title))
    .map(adviceGroup);
  return section("not-tried", "Not tried", html`\n<p class="intro">${intro}</p>\n${groups}`);
};

const adviceGroup = ({ title, items }: Group<CertifiedRequirement>): Markup => {
  const settings = groupByTitle(items, (requirement) =>
    settingsOf([requirement])
      .map(({ name }) => name)
      .join(),
  );
  return html`<div class="advice"><h3>${title} <span class="amount">${count(items.length)}</span></h3>
<p>${ADVICE.find((one) => one.title === title)?.says ?? ""}</p>
${settings.sort(largestFirst).map((setting) => settingGroup(setting.items))}</div>`;
};

/** Returns the configuration names of a group. Its first requirement has the same names as all others. */
const settingsOf = ([first]: readonly CertifiedRequirement[]) => (first ? namesIn(reasonOf(first)) : []);

const settingGroup = (requirements: readonly CertifiedRequirement[]): Markup => {
  const rows = settingsOf(requirements).map(
    ({ name, meaning }) => html`<div><dt><code>${name}</code></dt><dd>${meaning}</dd></div>`,
  );
  return html`${rows.length > 0 && html`<dl class="setting">${rows}</dl>`}${reasons(requirements)}`;
};

const reasons = (requirements: readonly CertifiedRequirement[]): Markup =>
  foldedRest(
    byReason(requirements).map(
      ({ title, items }) =>
        html`<li><details><summary><span class="amount">${count(items.length)}</span> <span>${title}</span></summary>
<ul class="ids">${items.map(({ id }) => html`<li>${linkToRequirement(id)}</li>`)}</ul></details></li>`,
    ),
    REASONS_SHOWN,
    ["reason", "reasons"],
    (rows) => html`<ul class="reasons">${rows}</ul>`,
  );

const REASONS_SHOWN = 5;
