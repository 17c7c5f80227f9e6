/** The page of the admin interface, for a browser. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyReply } from "fastify";

const ownFile = (name: string): string => readFileSync(new URL(`page/${name}`, import.meta.url), "utf8");

const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

let made: ReturnType<typeof make> | undefined;

/** Reads the files when somebody first asks, because a start does not need them. */
const make = () => {
  const [body, style, script] = ["page.html", "page.css", "page.js"].map(ownFile) as [string, string, string];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Sandbox</title>
<style>${style}</style>
</head>
<body>
${body}<script type="module">${script}</script>
</body>
</html>
`;
  // Texts of clients are shown as text; nothing else may run or load, in case one is not.
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    `script-src ${digestOf(script)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, policy };
};

/** Whether the client prefers a page: browsers name HTML, and clients of the interface do not. */
export const asksForPage = (accept: string | undefined): boolean => /\btext\/html\b/.test(accept ?? "");

export const sendPage = (reply: FastifyReply): FastifyReply => {
  made ??= make();
  return reply
    .headers({ "content-security-policy": made.policy, "cache-control": "no-store", vary: "accept" })
    .type("text/html; charset=utf-8")
    .send(made.html);
};
