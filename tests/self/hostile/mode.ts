/** The rows of the table of hostile modes, and what misbehaviours are made of. */
import type { Outcome } from "../../../reports/certificate/outcome.ts";
import type { AnswerEarly, Misbehave, Received, Reply } from "./hostile-server.ts";

/** The part of the product that meets the server. */
export type Flow = "cards" | "token" | "polling" | "webhook" | "paging" | "deposits";

export interface Mode {
  readonly about: string;
  readonly flow: Flow;
  readonly misbehave: Misbehave;
  readonly early?: AnswerEarly;
  /** The outcomes that a run may have. */
  readonly ends: readonly Outcome[];
  /** A pattern of a finding, a reason or an observation of the run. */
  readonly says?: RegExp;
  /** A pattern of the cause that the examination before a run finds; it must find none in a server that is certified. */
  readonly examined?: RegExp;
  /** Whether no requirement may pass; a pattern: but for these. */
  readonly passesNothing?: true | RegExp;
  /** Whether no requirement may fail: the server breaks no promise, or can't be judged. */
  readonly failsNothing?: true;
  /** Whether the mode is also tried in the default lane. */
  readonly quick?: true;
}

/** Returns modes that have members in common. A row may have further members of its own. */
export const modes = (
  common: Omit<Mode, "about" | "misbehave">,
  rows: readonly (readonly [about: string, misbehave: Misbehave, own?: Partial<Mode>])[],
): Mode[] => rows.map(([about, misbehave, own]) => ({ ...common, about, misbehave, ...own }));

export const CERTIFIED: readonly Outcome[] = ["certified"];
export const VIOLATIONS: readonly Outcome[] = ["violations"];
export const INCOMPLETE: readonly Outcome[] = ["incomplete"];
export const WRONG: readonly Outcome[] = ["violations", "incomplete"];
export const ANY: readonly Outcome[] = ["certified", "violations", "incomplete"];

export const JSON_TYPE = { "content-type": "application/json" } as const;

/** Gives every request the same answer. */
export const always =
  (status: number, body: string | Buffer = "", headers: Reply["headers"] = JSON_TYPE): Misbehave =>
  () => ({ status, headers, body });

export const raw =
  (...parts: readonly (string | Buffer)[]): Misbehave =>
  () => ({ status: 0, headers: {}, body: "", raw: parts });

/** Changes the correct answers. @param applies which requests it concerns; all by default */
export const changing =
  (
    change: (reply: Reply, request: Received) => Partial<Reply>,
    applies: (request: Received) => boolean = () => true,
  ): Misbehave =>
  async (request, correct) => {
    const reply = await correct();
    return applies(request) ? { ...reply, ...change(reply, request) } : reply;
  };

/** Sends the correct answers as other bytes. */
export const sending =
  (bytesOf: (reply: Reply) => readonly (Buffer | string)[]): Misbehave =>
  async (_, correct) => {
    const reply = await correct();
    return { ...reply, raw: bytesOf(reply) };
  };

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** Changes the text of successful answers. */
export const rewriting = (change: (text: string) => string | Buffer): Misbehave =>
  changing((reply) =>
    isSuccess(reply) && reply.body.length > 0 ? { body: change(reply.body.toString()) } : {},
  );

/** Adds a member to successful answers that are objects. @param member JSON text */
export const adding = (member: string): Misbehave =>
  rewriting((text) => (text.startsWith("{") && text.length > 2 ? `{${member},${text.slice(1)}` : text));

/** Answers correctly, except for every n-th request. */
export const every =
  (n: number, end: NonNullable<Reply["end"]>): Misbehave =>
  async ({ index }, correct) => ({ ...(await correct()), ...(index % n === n - 1 && { end }) });
