/**
 * Words the reason of a verdict for people. Certificates keep the reasons as they are, because programs compare them, and
 * some are codes.
 */
import rows from "./plain-reasons.json" with { type: "json" };

const WORDS = rows.map(({ code, says }) => ({ code: new RegExp(code), says }));

/** Returns the reason as a sentence. */
export const plainReason = (reason: string): string => {
  const row = WORDS.find(({ code }) => code.test(reason));
  const worded = row === undefined ? reason : reason.replace(row.code, row.says);
  const words = worded.replace(/\b(?:needs )?permission: /, "a permission: ");
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};
