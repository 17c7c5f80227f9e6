/** Prints the findings of a certificate as workflow commands, which GitHub shows as annotations. */
import { readFileSync } from "node:fs";

const text = (value) => value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (value) => text(value).replaceAll(":", "%3A").replaceAll(",", "%2C");

const { requirements, findings } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = new Set(requirements.filter(({ verdict }) => verdict === "failed").map(({ id }) => id));

for (const { requirement, message, expected, actual, accepted } of findings) {
  const level = failed.has(requirement) && accepted === undefined ? "error" : "notice";
  const words = `${message}\nexpected: ${expected}\ngot: ${actual}`;
  process.stdout.write(`::${level} title=${property(requirement)}::${text(words)}\n`);
}
