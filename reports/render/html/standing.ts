/** Renders the problems of the run, and its comparison with earlier results. */
import { html, type Markup } from "../markup.ts";
import type { Report } from "../report.ts";
import { section } from "./words.ts";

/** Returns the problems, the changes since the baseline, the accept list and the upgrade; `undefined` for an empty part. */
export const standingParts = ({ certificate, sections }: Report): readonly (Markup | undefined)[] => {
  const { accepted } = certificate;
  const { problems, comparison, acceptList, upgrade } = sections;
  const changes =
    comparison &&
    html`
<p class="intro">${comparison.title}</p>${comparison.groups.map(
      ({ label, count, lines }) => html`<h3>${label} <span class="amount">${count}</span></h3>${list(lines)}`,
    )}${list(comparison.lines)}`;
  const acceptances =
    accepted &&
    html`
<p class="intro"><span class="mono">${accepted.file}</span>${!acceptList && ": each entry accepts what it names."}</p>${acceptList && list(acceptList.lines)}`;
  return [
    problems && section("problems", problems.title, html`${list(problems.lines)}`),
    changes && section("changes", "Changes", changes),
    acceptances && section("accept-list", "Accept list", acceptances),
    upgrade &&
      section("upgrade", "Upgrade", html`\n<p class="intro">${upgrade.title}</p>${list(upgrade.lines)}`),
  ];
};

const list = (lines: readonly string[]): Markup | false =>
  lines.length > 0 && html`<ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
