// @ts-check
/** Copies commands, unfolds findings, prints, and changes colours. */

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const code = button.parentElement?.querySelector("code");
  const label = button.textContent ?? "";
  if (!code) return;
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    // If the browser denies access to the clipboard, the line is selected so that the user can copy it.
    getSelection()?.selectAllChildren(code);
    button.textContent = "Selected: copy it";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

/** Makes elements of the story of a finding that was written as text. @param {Element} folded */
function tell(folded) {
  const story = folded.querySelector(":scope > [data-story]");
  if (!(story instanceof HTMLElement)) return;
  story.outerHTML = story.dataset.story ?? "";
  showScripted(folded);
}

/** Shows what only works with scripts. @param {ParentNode} within */
function showScripted(within) {
  for (const element of within.querySelectorAll("[data-scripted]")) element.removeAttribute("hidden");
}

/** @param {HTMLButtonElement} button */
function openAll(button) {
  const folded = [...document.querySelectorAll(".finding > details")];
  const open = folded.some((one) => !one.hasAttribute("open"));
  for (const one of folded) one.toggleAttribute("open", open);
  button.textContent = open ? "Close all" : "Open all";
}

/** Scrolls each body to its mark. @param {ParentNode} within */
function showMarks(within) {
  const places = [...within.querySelectorAll("pre mark")].flatMap((mark) => {
    const body = mark.closest("pre");
    if (!body) return [];
    const below = mark.getBoundingClientRect().top - body.getBoundingClientRect().top;
    return [{ body, by: below - body.clientHeight / 2 }];
  });
  // Scrolling after all places are known computes the layout once.
  for (const { body, by } of places) body.scrollTop += by;
}

const THEME = "certificate-theme";

/** @param {string} choice */
function setTheme(choice) {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-theme-choice") === choice));
  }
}

/** Reads the stored theme. Storage may be unavailable, for example for a local file. */
function keptTheme() {
  try {
    return localStorage.getItem(THEME) ?? "auto";
  } catch {
    return "auto";
  }
}

/** @param {string} choice */
function keepTheme(choice) {
  try {
    localStorage.setItem(THEME, choice);
  } catch {}
}

/** Opens all folded parts for printing, because some browsers cannot do this with CSS. */
function unfoldForPrint() {
  // Stories contain folded parts too.
  for (const one of document.querySelectorAll(".finding > details")) tell(one);
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.setAttribute("open", "");
  addEventListener(
    "afterprint",
    () => {
      for (const one of folded) one.removeAttribute("open");
    },
    { once: true },
  );
}

/** Prints all sections. The browser's own command prints the two pages for those who sign. */
function printAll() {
  const root = document.documentElement;
  root.dataset.print = "all";
  addEventListener("afterprint", () => delete root.dataset.print, { once: true });
  print();
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button) return;
  if (button.hasAttribute("data-copy")) void copy(button);
  if (button.hasAttribute("data-open-all")) openAll(button);
  if (button.hasAttribute("data-print-all")) printAll();
  const choice = button.dataset.themeChoice;
  if (choice !== undefined) {
    setTheme(choice);
    keepTheme(choice);
  }
});
addEventListener("beforeprint", unfoldForPrint);
for (const folded of document.querySelectorAll(".finding > details")) {
  folded.addEventListener("toggle", () => {
    tell(folded);
    showMarks(folded);
  });
  if (folded.hasAttribute("open")) showMarks(folded);
}

showScripted(document);
setTheme(keptTheme());
