/** Chooses for each request the exercise that it gives the occasion for, and makes the situation. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { tokenHeader } from "../../../helpers/contract/lookups.ts";
import { jsonOf } from "../../../helpers/exchange/json-of.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import type { Ending } from "../../../helpers/traffic/seen.ts";
import { strongestOf, type TrialResult } from "../../../helpers/trials/ledger.ts";
import { load } from "../certifying/policies.ts";
import type { Exercise, Occasion } from "../judging/exercise.ts";
import { createSender } from "../listener/sender.ts";
import { replyWithText } from "./bodies.ts";
import type { RecordingClock } from "./clock.ts";
import type { Intervention } from "./forwarding.ts";
import { createRecovery } from "./recovery.ts";
import type { Reply } from "./reply.ts";

export interface ExerciseLine {
  readonly id: string;
  /**
   * `waiting`: the client has not given the occasion; `seen`: the situation was made, and nothing is decided yet;
   * `not survived`: the client failed right after it.
   */
  readonly state: "waiting" | "seen" | "passed" | "failed" | "not survived";
  /** What the client should do now, if the exercise waits. */
  readonly ask: string;
  /** Whether the client did not send the request again that met the trouble. */
  readonly isAbandoned: boolean;
}

/**
 * @param wanted ids, with the service or without it, or `all`
 * @param operations ids of the operations whose requests they change; all that fit if absent
 * @throws ConfigurationError for an unknown id
 */
export const exercisesNamed = async (
  contracts: readonly Contract[],
  wanted: readonly string[],
  operations: readonly string[] = [],
): Promise<readonly Exercise[]> => {
  const modules = await Promise.all(
    contracts.map(({ service }) => load<{ exercises: readonly Exercise[] }>(service, "exercises.ts")),
  );
  const all = modules.flatMap((module) => module?.exercises ?? []);
  const known = contracts.flatMap((contract) => contract.operations.map(({ operationId }) => operationId));
  const other = operations.find((id) => !known.includes(id));
  if (other !== undefined) throw new ConfigurationError(`--operation: there is no operation "${other}".`);
  const isNamed = ({ id }: Exercise, name: string): boolean =>
    id === name || id.slice(id.indexOf(".") + 1) === name;
  const unknown = wanted.find((name) => name !== "all" && !all.some((exercise) => isNamed(exercise, name)));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `--exercise: there is no exercise "${unknown}". There are: ${all.map(({ id }) => id).join(", ")}.`,
    );
  const isWanted = (one: Exercise): boolean =>
    wanted.some((name) => isNamed(one, name)) || (wanted.includes("all") && one.isNamedOnly !== true);
  const isChanged = ({ operation }: Occasion): boolean =>
    operations.length === 0 || operations.includes(operation?.operationId ?? "");
  return all
    .filter(isWanted)
    .map((one) => ({ ...one, fits: (occasion) => isChanged(occasion) && one.fits(occasion) }));
};

type Progress = ReturnType<typeof newProgress>;

/** The progress of an exercise: the fitting requests that passed unchanged, and those that it changed. */
const newProgress = () => ({ passed: 0, made: 0, key: undefined as string | undefined });

/** @param isSlow whether exercises may wait in real time */
export const createExercises = (rows: readonly Exercise[], clock: RecordingClock, isSlow: boolean) => {
  const progress = new Map(rows.map(({ id }) => [id, newProgress()]));
  const ended = new Map<string, Exercise>();
  const recovery = createRecovery();
  let before = "";

  /** Whether the exercise changes this request. */
  const takes = (exercise: Exercise, occasion: Occasion): boolean => {
    const state = progress.get(exercise.id) as Progress;
    if (state.made >= (exercise.times ?? 1) || !exercise.fits(occasion)) return false;
    if (["delay", "pass"].includes(exercise.act.kind) && !clock.isUsed() && !isSlow) return false;
    const key = exercise.keyOf?.(occasion);
    if (state.key !== undefined && state.key !== key) return false;
    if (key !== undefined && rows.some(({ id }) => id !== exercise.id && progress.get(id)?.key === key))
      return false;
    if (state.passed < (exercise.after ?? 0)) {
      state.passed += 1;
      return false;
    }
    state.key = key;
    return true;
  };

  return {
    intervene(occasion: Occasion): Intervention | undefined {
      const token = occasion.headers[tokenHeader(occasion)]?.toString();
      const refused = token === undefined ? undefined : ended.get(token);
      if (refused !== undefined) return interventionOf(refused, occasion, clock);
      const allowed = recovery.next(occasion);
      if (allowed === "undisturbed") return undefined;
      const fitting = allowed === "anything" ? rows : rows.filter(({ act }) => !TROUBLES.has(act.kind));
      const exercise = fitting.find((one) => takes(one, occasion));
      if (exercise === undefined) return undefined;
      if (TROUBLES.has(exercise.act.kind)) recovery.trouble(exercise.id, occasion);
      const state = progress.get(exercise.id) as Progress;
      const { act, id } = exercise;
      const turn = state.made;
      state.made += 1;
      if (act.kind === "end-token" && token !== undefined) ended.set(token, exercise);
      if (act.kind !== "change") return interventionOf(exercise, occasion, clock);
      return changeOf(id, (json) => act.change(json, occasion, turn), state);
    },
    /**
     * Tells that the client has ended.
     * @returns whether it ended at an exercise and others are left, so that another run may meet them
     */
    endRun({ exitCode = 0 }: Ending): boolean {
      recovery.endRun(exitCode !== 0);
      const made = rows.map(({ id }) => progress.get(id)?.made);
      const isMet = made.join() !== before && made.some((times) => times !== 0);
      before = made.join();
      return exitCode !== 0 && isMet && made.includes(0);
    },
    /** @param results what was judged so far */
    lines(results: readonly TrialResult[]): readonly ExerciseLine[] {
      const judged = strongestOf(results.flatMap(({ entries }) => entries));
      return rows.map((row) => lineOf(row, progress.get(row.id)?.made ?? 0, judged, recovery));
    },
  };
};

/** @param made how often the exercise was made */
const lineOf = (
  { id, ask, requirements, act }: Exercise,
  made: number,
  judged: ReturnType<typeof strongestOf>,
  { abandoned, isNotSurvived }: ReturnType<typeof createRecovery>,
): ExerciseLine => {
  const service = id.slice(0, id.indexOf("."));
  const verdicts = requirements.map((one) => judged.get(`${service}.${one}`)?.verdict);
  const isAbandoned = REFUSING.has(act.kind) && abandoned().includes(id);
  return { id, state: isNotSurvived(id) ? "not survived" : stateOf(made, verdicts), ask, isAbandoned };
};

const changeOf = (id: string, changeJson: (json: unknown) => unknown, state: Progress): Intervention => {
  const exercises = [id];
  let isMade = false;
  const takeBack = (): void => {
    // If the situation was not made, the client may give the occasion again.
    if (!isMade && exercises.pop() !== undefined) state.made -= 1;
  };
  /** Changes the JSON of an accepted answer. */
  const change = async (reply: Reply): Promise<Reply> => {
    const other = await replyWithText(reply, (text) => {
      const { json } = reply.status < 300 ? jsonOf(Buffer.from(text)) : {};
      const made = json === undefined ? undefined : changeJson(json);
      // An answer without what the exercise changes makes no situation.
      isMade = made !== undefined && made !== json;
      return isMade ? JSON.stringify(made) : text;
    });
    takeBack();
    return other;
  };
  return { exercises, change, takeBack };
};

/** The acts that refuse or lose a request, so that the client sends it again. */
const REFUSING: ReadonlySet<string> = new Set(["answer", "end-token", "cut"]);

/** The acts that a client must get over. When time passes, it needs a new token. */
const TROUBLES: ReadonlySet<string> = new Set([...REFUSING, "delay", "pass"]);

const stateOf = (made: number, verdicts: readonly (string | undefined)[]): ExerciseLine["state"] => {
  if (made === 0) return "waiting";
  if (verdicts.some((verdict) => verdict === "failed" || verdict === "advisory")) return "failed";
  return verdicts.every((verdict) => verdict === "passed") ? "passed" : "seen";
};

const interventionOf = ({ id, act }: Exercise, occasion: Occasion, clock: RecordingClock): Intervention => {
  const exercises = [id];
  switch (act.kind) {
    case "answer":
      return { exercises, instead: async () => replyOf(act.status, act.json, act.headers) };
    case "end-token":
      return { exercises, instead: async () => replyOf(act.status, act.json, []) };
    case "cut":
      return { exercises, cut: act.cut };
    case "delay":
      return { exercises, before: (signal) => pass(clock, act.seconds, signal) };
    case "pass":
      return { exercises, after: () => pass(clock, act.seconds) };
    case "change":
      return { exercises };
    case "callback": {
      if (act.when === "never") return { exercises, withoutParameter: "callbackUrl" };
      const url = occasion.url.searchParams.get("callbackUrl") ?? "";
      const send = (reply: Reply) => sendCallback(url, jsonOf(reply.body).json, act.when === "twice" ? 2 : 1);
      return { exercises, [act.when === "before" ? "beforeReply" : "afterReply"]: send };
    }
  }
};

const replyOf = (status: number, json: unknown, headers: readonly string[]): Reply => ({
  status,
  headers: ["content-type", "application/json", ...headers],
  body: Buffer.from(JSON.stringify(json)),
});

const pass = async (clock: RecordingClock, seconds: number, signal?: AbortSignal): Promise<void> => {
  if (clock.isUsed()) await clock.holdUntil(clock.now() + seconds * 1000, signal);
  else await sleep(seconds * 1000, undefined, signal && { signal }).catch(() => {});
};

/** Sends report callbacks to the address that the client gave. @param answer the answer to the generation of the report */
const sendCallback = async (url: string, answer: unknown, times: number): Promise<void> => {
  if (!/^https?:/.test(url)) return;
  const { id, customerId, type } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const body = JSON.stringify({ reportId: id, customerId, type, status: "success" });
  // A listener that is down is a possible behaviour of the client.
  const sender = createSender({ service: "", operationId: "", timeLimitMs: 5_000 }, () => {});
  for (let time = 0; time < times; time += 1) await sender.send({ url, body });
  await sender.close();
};
