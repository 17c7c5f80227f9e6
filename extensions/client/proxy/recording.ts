/** A recording: the proxy, its log and the judgement of what it sees. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor, type Redactor } from "../../../helpers/exchange/redact.ts";
import type { SignatureDialect } from "../../../helpers/gateway/gateway.ts";
import { loadGateways } from "../../../helpers/gateway/load-gateway.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import type { Target } from "../../../helpers/target/target.ts";
import { createCapture, type Observed } from "../../../helpers/traffic/capture.ts";
import { loggedDocument, openLog } from "../../../helpers/traffic/log.ts";
import type { Ending, Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import { counted } from "../../../reports/text.ts";
import { load, openCallerJudge } from "../certifying/policies.ts";
import type { Exercise } from "../judging/exercise.ts";
import type { CallerJudgeOptions } from "../judging/judge.ts";
import type { CreateResealing } from "../judging/resealing.ts";
import { createClock } from "./clock.ts";
import { type Control, createControl } from "./control.ts";
import { createExercises } from "./exercises.ts";
import { openProxy, type ProxyOptions, type RecordingProxy } from "./proxy.ts";
import { sealedBodiesOf, unreadTeller } from "./sealed-bodies.ts";
import { createSignatures } from "./signatures.ts";

export interface RecordingOptions
  extends Pick<CallerJudgeOptions, "onFinding">,
    Pick<ProxyOptions, "target" | "contracts" | "port" | "host" | "tls" | "authority"> {
  /** The folder for the log; no log is written if absent. */
  readonly out?: string;
  /** Receives messages for the user while the recording runs. */
  readonly tell?: (message: string) => void;
  /** The only encoding of signatures that is right; both are if absent. */
  readonly signatureEncoding?: SignatureDialect["encoding"];
  /** Runs after each exchange was judged. */
  readonly onJudged?: () => void;
  /** The exercises that the client gets, and whether they may wait in real time. */
  readonly exercises?: readonly Exercise[];
  readonly slow?: boolean;
  /** Further addresses of the proxy, by path. */
  readonly pages?: Readonly<Record<string, Control>>;
}

export type Recording = Awaited<ReturnType<typeof openRecording>>;

/** @throws Error when the port is taken or the log can't be written */
export const openRecording = async (options: RecordingOptions) => {
  const { target, host, exercises = [], slow = false, tell = () => {} } = options;
  const { judge, contracts, path, log, onExchange, conclude } = await openJudging(options, tell);
  let refused = 0;
  const clock = createClock(clockOf(target));
  const { intervene, lines, endRun } = createExercises(exercises, clock, slow);
  const resealings = await resealingsOf(contracts, target);
  const gateways = loadGateways(target);
  const bodies = sealedBodiesOf(gateways);
  const signatures = createSignatures(gateways, tell, options.signatureEncoding);
  const untold = new Set([UNCHANGED, UNREAD]);
  const proxy = await openProxy({
    ...options,
    ...{ bodies, clock, contracts, gateways, signatures, onExchange },
    onUnchanged: (isSealed) => {
      const message = isSealed ? UNREAD : UNCHANGED;
      if (untold.delete(message)) tell(message);
    },
    onRefused: () => {
      refused += 1;
    },
    control: createControl(clock, options.pages ?? {}, host === undefined ? [] : [host]),
    intervene: exercises.length > 0 ? intervene : undefined,
    resealing: (service) => resealings.get(service),
  });
  return {
    ...{ proxy, judge },
    /** The contracts of the services that are recorded, with what callers are held to. */
    contracts,
    /** Returns the state of each exercise. */
    exercises: () => lines(judge.results()),
    /** Path of the log. */
    log: path,
    /** Configuration values by environment name for clients: base URLs, and the values that replace the target's. */
    environment: { ...environmentOf(target, proxy, resealings), ...bodies?.environment },
    /** Returns what the user should know about the recording. */
    notes: () => [
      ...(refused === 0 ? [] : [`${counted(refused, "request")} ${NOT_FORWARDED}`]),
      ...signatures.notes(),
    ],
    /** Judges a run of the client that an exercise has ended. @returns whether another run may meet exercises that are left */
    async endRun(ending: Ending): Promise<boolean> {
      const isLeft = endRun(ending);
      if (isLeft) await untilIdle(proxy);
      if (isLeft) conclude(ending);
      return isLeft;
    },
    /** Judges all that was recorded, and closes the proxy and the log. */
    async end(ending: Ending): Promise<void> {
      clock.close();
      await proxy.close();
      endRun(ending);
      conclude(ending);
      log?.close();
    },
  };
};

/** Opens what logs and judges the exchanges of a recording. */
const openJudging = async (
  { target, out, onFinding, onJudged, ...given }: RecordingOptions,
  tell: (message: string) => void,
) => {
  const redactor = createRedactor(target.values, given.contracts);
  const recorder = createRecorder(redactor);
  const { judge, contracts } = await openCallerJudge(given.contracts, target.baseUrls, recorder, onFinding);
  const { path, log } = out === undefined ? {} : openLogIn(out, target, contracts, redactor);
  const capture = createCapture(contracts, target.baseUrls, redactor);
  const queue = createQueue<readonly [Seen, readonly StoredResult[]]>(([seen, single]) => {
    judge.see(seen, single);
    onJudged?.();
  });
  const tellUnread = unreadTeller(contracts, tell);
  const onExchange = (observed: Observed): void => {
    const seen = capture(observed);
    if (seen === undefined) return;
    tellUnread(seen);
    const single = judge.single(seen);
    log?.add(seen, single);
    queue.add([seen, single]);
  };
  const conclude = (ending: Ending): void => {
    queue.finish();
    judge.end(ending);
    log?.end(ending);
  };
  return { judge, contracts, path, log, onExchange, conclude };
};

/** Waits for calls that the client left, for two seconds at most. */
const untilIdle = async ({ underWay }: RecordingProxy): Promise<void> => {
  for (let turn = 0; underWay() > 0 && turn < 40; turn += 1) await sleep(50);
};

const openLogIn = (
  out: string,
  { name, baseUrls }: Target,
  contracts: readonly Contract[],
  redactor: Redactor,
) => {
  const documents = Object.fromEntries(contracts.map((one) => [one.service, loggedDocument(one)]));
  const startedAt = new Date().toISOString();
  const path = join(out, `traffic-${startedAt.replaceAll(/[^\dTZ]/g, "")}.ndjson`);
  return { path, log: openLog(path, { target: name, baseUrls, startedAt, documents }, redactor) };
};

const NOT_FORWARDED =
  "below no base URL of a service, for another server, or of a page of one: not forwarded, and not judged.";
const UNCHANGED = "A large body passed unchanged: addresses in it are not replaced (see --help).";
const UNREAD =
  "A large body passed unchanged that may be encrypted: it is not decrypted, recorded or judged (see --help).";

/** Returns a function that moves the clock of an embedded sandbox; `undefined` for any other target. */
const clockOf = ({ embedded, baseUrls }: Target): ((seconds: number) => Promise<void>) | undefined => {
  const [first] = Object.values(baseUrls);
  if (!embedded || first === undefined) return undefined;
  const { origin, pathname } = new URL(first);
  const [, tenant = ""] = /^\/t\/([^/]+)/.exec(pathname) ?? [];
  return async (seconds) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ advance: seconds, ...(tenant !== "" && { tenant }) });
    const response = await fetch(`${origin}/__sandbox/clock`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`The clock of the sandbox can't be moved: ${await response.text()}`);
  };
};

const resealingsOf = async (contracts: readonly Contract[], { values }: Target) => {
  const found = contracts.map(async ({ service }) => {
    const module = await load<{ createResealing: CreateResealing }>(service, "resealing.ts");
    return [service, await module?.createResealing(values)] as const;
  });
  return new Map(await Promise.all(found));
};

const environmentOf = (
  target: Target,
  { baseUrls }: RecordingProxy,
  resealings: Awaited<ReturnType<typeof resealingsOf>>,
): Record<string, string> => ({
  // An external target's own credentials are known to the user, and are never written.
  ...(target.embedded &&
    Object.fromEntries(Object.entries(target.values).filter(([name]) => !/^(ALLOW|MAX)_/.test(name)))),
  ...Object.fromEntries(Object.entries(baseUrls).map(([service, url]) => [baseUrlName(service), url])),
  ...Object.assign({}, ...[...resealings.values()].map((one) => one?.environment)),
});

/** The number of items in one turn of the event loop. */
const BATCH = 20;

/** Handles items a few at a time, so that judging does not delay the proxy. */
const createQueue = <Item>(handle: (item: Item) => void) => {
  const waiting: Item[] = [];
  const turn = (): void => {
    waiting.splice(0, BATCH).forEach(handle);
    if (waiting.length > 0) setImmediate(turn);
  };
  return {
    add(item: Item): void {
      if (waiting.push(item) === 1) setImmediate(turn);
    },
    /** Handles all items that wait. */
    finish: (): void => waiting.splice(0).forEach(handle),
  };
};
