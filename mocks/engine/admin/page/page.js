// @ts-check
/** Shows the state of one tenant, and lets the user change it. */

/** Milliseconds between two looks at the sandbox. */
const INTERVAL = 2000;
const SHOWN = 50;
/** Characters of a resource in the list. */
const EXCERPT = 160;
/** With more resources, the user says when they are read again. */
const MANY = 5000;

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function one(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no "${id}".`);
}

const tenants = one("tenant", HTMLSelectElement);
const problem = one("problem", HTMLElement);
const arrange = one("arrange", HTMLFormElement);
const restore = one("restore", HTMLFormElement);
const send = one("send", HTMLFormElement);
const look = one("look", HTMLFormElement);
const dialog = one("shown", HTMLDialogElement);

/**
 * @param {string} path
 * @param {object} [body] of a POST request
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const tenant = tenants.value;
  const [place, query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  if (tenant !== "" && body === undefined) parameters.set("tenant", tenant);
  const response = await fetch(`/__sandbox${place}?${parameters}`, {
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify({ ...body, ...(tenant !== "" && { tenant }) }) }),
  });
  const answer = JSON.parse(await response.text(), exact);
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/**
 * Keeps the digits of numbers that a page can't hold: ids may be that long.
 * @param {string} _name
 * @param {unknown} value
 * @param {{ source?: string }} [context]
 */
function exact(_name, value, context) {
  const isLong = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return (isLong && context?.source) || value;
}

/**
 * Does the work, and shows what went wrong.
 * @param {() => Promise<void>} work
 */
async function attempt(work) {
  try {
    await work();
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    problem.hidden = false;
  }
}

/**
 * @param {string} name
 * @param {string} [text]
 */
function made(name, text = "") {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/**
 * @param {string} id of a description list
 * @param {Record<string, unknown>} values
 */
function describe(id, values) {
  const items = Object.entries(values).flatMap(([name, value]) => [
    made("dt", name),
    made("dd", String(value)),
  ]);
  one(id, HTMLDListElement).replaceChildren(...items);
}

/**
 * Replaces the options if they are others, so that the user's choice stays.
 * @param {HTMLSelectElement} select
 * @param {string[]} names
 * @param {string} [first] the text of an option without a value
 */
function offer(select, names, first) {
  const wanted = [...(first === undefined ? [] : [""]), ...names];
  const present = [...select.options].map(({ value }) => value);
  if (wanted.join("\n") === present.join("\n")) return;
  const { value } = select;
  select.replaceChildren(...wanted.map((name) => new Option(name === "" ? first : name, name)));
  if (wanted.includes(value)) select.value = value;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function choiceIn(form, name) {
  const choice = form.elements.namedItem(name);
  if (choice instanceof HTMLSelectElement) return choice;
  throw new Error(`The form has no "${name}".`);
}

/**
 * @param {string} id
 * @param {(string | HTMLElement)[][]} rows
 */
function fill(id, rows) {
  one(id, HTMLTableSectionElement).replaceChildren(
    ...rows.map((cells) => {
      const row = made("tr");
      for (const cell of cells) {
        const data = made("td");
        data.append(cell);
        row.append(data);
      }
      return row;
    }),
  );
}

/** @param {unknown} body */
function folded(body) {
  const details = made("details");
  details.append(made("summary", "Show"), made("code", JSON.stringify(body)));
  return details;
}

/**
 * @param {string} text of the button
 * @param {string} title
 * @param {() => string | Promise<string>} content
 */
function opener(text, title, content) {
  const button = made("button", text);
  button.addEventListener("click", () =>
    attempt(async () => {
      one("shown-text", HTMLElement).textContent = await content();
      one("shown-title", HTMLElement).textContent = title;
      dialog.showModal();
    }),
  );
  return button;
}

/**
 * A resource, and the list that it is in.
 * @typedef {{ list: string, id: string, item: unknown }} Resource
 * @type {Resource[]}
 */
let resources = [];

/**
 * Finds the resources in the data, those within others too.
 * @param {string} place
 * @param {unknown} part
 * @returns {Resource[]}
 */
function resourcesIn(place, part) {
  if (Array.isArray(part))
    return part.flatMap((item) => [{ list: place, id: idOf(item), item }, ...resourcesIn(place, item)]);
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) =>
    typeof inner === "object" ? resourcesIn(`${place}, ${name}`, inner) : [],
  );
}

/** @param {unknown} item */
function idOf(item) {
  if (typeof item !== "object" || item === null) return String(item);
  const [, id = ""] = Object.entries(item).find(([name]) => /^id$|Id$/.test(name)) ?? [];
  return String(id);
}

/**
 * Whether a value of a resource itself contains a text.
 * @param {unknown} item
 * @param {string} text in lower case
 */
const has = (item, text) =>
  (typeof item === "object" && item !== null ? Object.values(item) : [item]).some(
    (value) => typeof value !== "object" && String(value).toLowerCase().includes(text),
  );

function showResources() {
  const fields = new FormData(look);
  const [list, text] = [String(fields.get("list")), String(fields.get("search")).trim().toLowerCase()];
  const found = resources.filter(
    (one) => (list === "" || one.list === list) && (text === "" || has(one.item, text)),
  );
  one("found", HTMLElement).textContent =
    found.length > SHOWN ? `${found.length}, of which the first ${SHOWN} are shown` : String(found.length);
  fill(
    "resources",
    found
      .slice(0, SHOWN)
      .map(({ list: place, id, item }) => [
        place,
        opener(id || "Show", `${place}: ${id}`, () => JSON.stringify(item, null, 2)),
        excerpt(JSON.stringify(item)),
      ]),
  );
}

/** @param {string} text */
const excerpt = (text) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);

/** Counts the items of each list in the data, and shows them. */
async function showState() {
  const data = await ask("/data");
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [service, parts] of Object.entries(data))
    for (const [name, part] of Object.entries(parts))
      if (Array.isArray(part)) counts[`${service}, ${name}`] = part.length;
  describe("state", counts);
  resources = Object.entries(data).flatMap(([service, parts]) => resourcesIn(service, parts));
  offer(choiceIn(look, "list"), [...new Set(resources.map(({ list }) => list))], "all");
  showResources();
  const { snapshots } = await ask("/snapshots");
  offer(choiceIn(restore, "snapshot"), snapshots);
  restore.hidden = snapshots.length === 0;
}

/** @param {number} id */
async function exchangeOf(id) {
  const { method, url, status, sent, answer } = await ask(`/requests/${id}`);
  const answered = answer === undefined ? "No answer was sent." : `${status}\n${messageOf(answer)}`;
  return `${method} ${url}\n${messageOf(sent)}\n\n${answered}`;
}

/** @param {{ headers: Record<string, unknown>, body: string }} message */
function messageOf({ headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...lines, "", pretty(body)].join("\n");
}

/** @param {string} body */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body, exact), null, 2);
  } catch {
    return body;
  }
}

/** The id of the last request that was shown. */
let shownRequest = 0;

async function showTraffic() {
  const { requests } = await ask(`/requests?last=${SHOWN}`);
  const last = requests.at(-1)?.id ?? 0;
  const isNew = last !== shownRequest;
  shownRequest = last;
  fill(
    "requests",
    requests
      .reverse()
      .map(
        (
          /** @type {Record<string, any>} */ {
            id,
            at,
            method,
            url,
            operation = "",
            status = "",
            milliseconds = "",
          },
        ) => [
          at.slice(11, 19),
          `${method} ${url}`,
          operation,
          String(status),
          String(milliseconds),
          opener("Show", `Request ${id}`, () => exchangeOf(id)),
        ],
      ),
  );
  const { deliveries } = await ask(`/deliveries?last=${SHOWN}`);
  fill(
    "deliveries",
    deliveries
      .reverse()
      .map((/** @type {Record<string, any>} */ { kind, url, status, attempts, body }) => [
        kind,
        url,
        status,
        String(attempts.length),
        folded(body),
      ]),
  );
  return isNew;
}

async function showOffers() {
  const [{ situations }, { events }, { tenants: names }, health] = await Promise.all(
    ["", "/events", "/tenants", "/health"].map((path) => ask(path)),
  );
  offer(choiceIn(arrange, "situation"), situations);
  offer(choiceIn(send, "event"), events);
  offer(
    tenants,
    names.filter((/** @type {string} */ name) => name !== ""),
    "default",
  );
  send.hidden = events.length === 0;
  one("no-events", HTMLElement).hidden = events.length > 0;
  one("about", HTMLElement).textContent = `${health.services.join(", ")}, for ${health.uptimeSeconds} s`;
}

async function showTime() {
  const { now } = await ask("/clock");
  const time = one("now", HTMLTimeElement);
  time.dateTime = now;
  time.textContent = now.replace("T", " ").replace(/\.\d+Z/, " UTC");
}

const showAll = () =>
  attempt(async () => {
    await Promise.all([showTime(), showTraffic(), showOffers(), showState()]);
  });

/**
 * @param {HTMLElement} element
 * @param {"click" | "submit"} kind
 * @param {() => Promise<void>} work
 */
function on(element, kind, work) {
  element.addEventListener(kind, async (event) => {
    event.preventDefault();
    await attempt(async () => {
      await work();
      await Promise.all([showTime(), showTraffic(), showState()]);
    });
  });
}

const advance = one("advance", HTMLFormElement);
on(advance, "submit", async () => {
  const fields = new FormData(advance);
  await ask("/clock", { advance: Number(fields.get("amount")) * Number(fields.get("unit")) });
});
on(one("reset", HTMLButtonElement), "click", () => ask("/reset", {}));
on(one("snapshot", HTMLButtonElement), "click", () => ask("/snapshots", {}));
on(restore, "submit", () => ask("/restore", { snapshot: choiceIn(restore, "snapshot").value }));
on(arrange, "submit", async () => {
  const parameters = JSON.parse(String(new FormData(arrange).get("parameters")));
  const { environment } = await ask("/situations", {
    situation: choiceIn(arrange, "situation").value,
    parameters,
  });
  describe("arranged", environment);
});
on(send, "submit", async () => {
  const { sent } = await ask("/events", { event: choiceIn(send, "event").value });
  await ask("/settlement", {});
  one("sent", HTMLElement).textContent = sent === 1 ? "1 delivery" : `${sent} deliveries`;
});
on(look, "submit", async () => {});
look.addEventListener("input", showResources);
one("close", HTMLButtonElement).addEventListener("click", () => dialog.close());
tenants.addEventListener("change", showAll);

setInterval(() => {
  if (document.visibilityState === "visible")
    void attempt(async () => {
      const [isNew] = await Promise.all([showTraffic(), showTime()]);
      if (isNew && resources.length < MANY) await showState();
    });
}, INTERVAL);
void showAll();
