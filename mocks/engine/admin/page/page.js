// @ts-check
/** Shows the state of one tenant, and lets the user change it. */

/** Milliseconds between two looks at the sandbox. */
const INTERVAL = 2000;
const SHOWN = 50;

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
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
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

/** Counts the items of each list in the data. */
async function showState() {
  const data = await ask("/data");
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [service, parts] of Object.entries(data))
    for (const [name, part] of Object.entries(parts))
      if (Array.isArray(part)) counts[`${service}, ${name}`] = part.length;
  describe("state", counts);
  const { snapshots } = await ask("/snapshots");
  offer(choiceIn(restore, "snapshot"), snapshots);
  restore.hidden = snapshots.length === 0;
}

async function showTraffic() {
  const { requests } = await ask(`/requests?last=${SHOWN}`);
  fill(
    "requests",
    requests
      .reverse()
      .map(
        (
          /** @type {Record<string, any>} */ {
            at,
            method,
            url,
            operation = "",
            status = "",
            milliseconds = "",
          },
        ) => [at.slice(11, 19), `${method} ${url}`, operation, String(status), String(milliseconds)],
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
tenants.addEventListener("change", showAll);

setInterval(() => {
  if (document.visibilityState === "visible")
    void attempt(() => Promise.all([showTime(), showTraffic()]).then(() => {}));
}, INTERVAL);
void showAll();
