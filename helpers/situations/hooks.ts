/** Runs the hooks of an offer. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { USER_AGENT } from "../exchange/user-agent.ts";
import { TargetLost } from "../trials/stopped.ts";
import type { Hook, Parameters } from "./offer.ts";

/** The time limit of a hook, in milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Runs a hook with the parameters. @returns its answer, `undefined` if it is empty
 * @param what the purpose of the hook, for the message
 * @throws TargetLost when the hook fails, because the situation then does not exist
 */
export const runHook = async (hook: Hook, what: string, parameters: Parameters): Promise<unknown> => {
  try {
    const answer = "command" in hook ? await runCommand(hook, parameters) : await sendTo(hook, parameters);
    return answer.trim() === "" ? undefined : JSON.parse(answer);
  } catch (error) {
    throw new TargetLost("hook-failed", what, (error as Error).message);
  }
};

const runCommand = async (
  { command, folder }: Extract<Hook, { readonly command: unknown }>,
  parameters: Parameters,
): Promise<string> => {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { timeout: LIMIT_MS, ...(folder !== undefined && { cwd: folder }) });
  // The end of a command that reads nothing closes its input.
  child.stdin.on("error", () => {}).end(JSON.stringify(parameters));
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code === null ? `${signal}` : `exit code ${code}`));
  });
  const [how, output, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (how === "exit code 0") return output;
  throw new Error(`${program} ended with ${how}${said(complaint)}`);
};

const sendTo = async (
  { http }: Extract<Hook, { readonly http: unknown }>,
  parameters: Parameters,
): Promise<string> => {
  const { url, method = "POST", headers = {}, body = {}, limitMs = LIMIT_MS } = http;
  const hasBody = method !== "GET";
  const answer = await request(url, {
    method,
    headers: { ...USER_AGENT, ...(hasBody && { "content-type": "application/json" }), ...headers },
    ...(hasBody && { body: JSON.stringify({ ...body, ...parameters }) }),
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
  });
  const content = await answer.body.text();
  if (answer.statusCode < 300) return content;
  throw new Error(`${new URL(url).host} answered ${answer.statusCode}${said(content)}`);
};

const said = (words: string): string => {
  const text = words.replaceAll(/\s+/g, " ").trim();
  return text === "" ? "" : ` (${text})`;
};
