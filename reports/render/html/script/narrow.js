// @ts-check
/** Filters the list of requirements by the controls or the URL, and follows links into it. */

/** @typedef {{ query: string, service: string, verdicts: string[] }} Filter */

const filters = one("#filters", HTMLFormElement);
const search = one("#q", HTMLInputElement);
const services = document.querySelector("select#service");
const results = one("#results", HTMLOutputElement);
const nothing = one("#nothing", HTMLElement);
const groups = [...document.querySelectorAll("details.group")].map((element) => ({
  element: /** @type {HTMLDetailsElement} */ (element),
  amount: one("[data-amount]", HTMLElement, element),
  service: element.closest("[data-service]")?.getAttribute("data-service") ?? "",
  rows: [...element.querySelectorAll(".requirement")].map(rowOf),
  wasOpen: element.hasAttribute("open"),
}));
const amountOfRows = groups.reduce((sum, { rows }) => sum + rows.length, 0);

/** @param {Element} element */
function rowOf(element) {
  /** @type {string | undefined} */
  let words;
  return {
    element: /** @type {HTMLElement} */ (element),
    verdict: element.getAttribute("data-verdict") ?? "",
    /** Returns the text, which is read when the user searches. */
    words() {
      words ??= (element.textContent ?? "").toLowerCase();
      return words;
    },
  };
}

/** @returns {Filter} */
function filterOfControls() {
  const verdicts = new FormData(filters).getAll("verdict").map(String);
  const service = services instanceof HTMLSelectElement ? services.value : "";
  return { query: search.value.trim(), service, verdicts };
}

/** @param {Filter} filter */
function setControls({ query, service, verdicts }) {
  if (search.value.trim() !== query) search.value = query;
  if (services instanceof HTMLSelectElement) services.value = service;
  for (const box of filters.querySelectorAll("input[name=verdict]")) {
    if (box instanceof HTMLInputElement) box.checked = verdicts.includes(box.value);
  }
}

/** @param {Filter} filter */
const isEmpty = ({ query, service, verdicts }) => query === "" && service === "" && verdicts.length === 0;

let narrowed = false;

/** @param {Filter} filter */
function show(filter) {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  const narrows = !isEmpty(filter);
  let left = 0;
  for (const group of groups) {
    for (const row of group.rows) {
      row.element.hidden =
        (filter.verdicts.length > 0 && !filter.verdicts.includes(row.verdict)) ||
        (filter.service !== "" && group.service !== filter.service) ||
        !words.every((word) => row.words().includes(word));
    }
    const amount = group.rows.filter(({ element }) => !element.hidden).length;
    left += amount;
    if (narrows && !narrowed) group.wasOpen = group.element.open;
    group.element.hidden = amount === 0;
    if (narrows || narrowed) group.element.open = narrows ? amount > 0 : group.wasOpen;
    group.amount.textContent = narrows ? `${amount} of ${group.rows.length}` : String(group.rows.length);
  }
  for (const service of document.querySelectorAll("[data-service]")) {
    if (service instanceof HTMLElement) service.hidden = !service.querySelector(".group:not([hidden])");
  }
  narrowed = narrows;
  nothing.hidden = left > 0;
  one("#reset", HTMLElement).hidden = !narrows;
  results.textContent = narrows
    ? `${left.toLocaleString("en-US")} of ${amountOfRows.toLocaleString("en-US")} requirements`
    : `${amountOfRows.toLocaleString("en-US")} requirements`;
}

/** Stores the filter in the URL, so that a filtered list has a link. @param {Filter} filter */
function hashOf({ query, service, verdicts }) {
  const hash = new URLSearchParams();
  if (query !== "") hash.set("q", query);
  if (service !== "") hash.set("service", service);
  if (verdicts.length > 0) hash.set("verdict", verdicts.join(","));
  return `#${hash.toString().replaceAll("%2C", ",")}`;
}

/** @param {string} hash @returns {Filter | null} */
function filterOfHash(hash) {
  if (!/^#(q|service|verdict)=/.test(hash)) return null;
  const given = new URLSearchParams(hash.slice(1));
  return {
    query: given.get("q") ?? "",
    service: given.get("service") ?? "",
    verdicts: (given.get("verdict") ?? "").split(",").filter(Boolean),
  };
}

/** @type {Filter} */
const ALL = { query: "", service: "", verdicts: [] };

function narrow() {
  const filter = filterOfControls();
  show(filter);
  history.replaceState(null, "", isEmpty(filter) ? location.pathname + location.search : hashOf(filter));
}

function reset() {
  setControls(ALL);
  narrow();
  search.focus();
}

/** Shows the element that the URL names: a filtered list, a requirement or a finding. Opens it if it is collapsed. */
function follow() {
  const filter = filterOfHash(location.hash);
  if (filter) {
    setControls(filter);
    show(filter);
    one("#requirements", HTMLElement).scrollIntoView();
    return;
  }
  const target = document.getElementById(decoded(location.hash.slice(1)));
  if (!target?.matches(".requirement, .finding")) return;
  if (target.hidden) {
    setControls(ALL);
    show(ALL);
  }
  for (const known of document.querySelectorAll(".reached")) known.classList.remove("reached");
  target.classList.add("reached");
  if (target.matches(".finding")) target.querySelector("details")?.setAttribute("open", "");
  for (let around = target.parentElement; around; around = around.parentElement) {
    if (around.matches("details")) around.setAttribute("open", "");
  }
  target.scrollIntoView({ block: target.matches(".finding") ? "start" : "center" });
  target.focus({ preventScroll: true });
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [within]
 * @returns {T}
 */
function one(selector, type, within = document) {
  const found = within.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page lacks ${selector}.`);
}

filters.addEventListener("input", narrow);
filters.addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll("[data-reset]")) button.addEventListener("click", reset);
addEventListener("hashchange", follow);
follow();
