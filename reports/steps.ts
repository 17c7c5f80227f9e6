/** A sequence as a numbered list of steps that a person can follow. */
import type { RecordedStep } from "../helpers/trials/failure.ts";
import { cut } from "./text.ts";

export const stepLines = (steps: readonly RecordedStep[]): string[] =>
  steps.map((step, index) => `${index + 1}. ${step.beside ? "at the same time, " : ""}${stepText(step)}`);

const LONGEST_BODY = 160;

export const stepText = ({ title, exchange, act }: RecordedStep): string => {
  if (act?.kind === "link-accounts") return `${title}: accounts are linked to customer ${act.customer}`;
  if (act?.kind === "pass") return `${title}: ${act.seconds} seconds pass`;
  if (exchange === undefined) return title;
  const { method, url, body } = exchange.request;
  const { pathname, search } = new URL(url);
  const sent = `${method} ${pathname}${search}${body === undefined ? "" : ` ${cut(body, LONGEST_BODY)}`}`;
  return `${title}: ${sent} → ${exchange.response?.status ?? "no answer"}`;
};
