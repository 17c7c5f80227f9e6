/** A proxy that holds back one response of the server, so that a test knows the state of the run without waiting. */
import { hostileServer } from "../hostile/hostile-server.ts";

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface HoldingProxy {
  readonly origin: string;
  /** The requests so far. */
  readonly passed: readonly Passing[];
  /** Resolves when the server has sent the response that is held back. */
  readonly held: Promise<Passing>;
  /** Forwards the response that is held back. */
  release(): void;
}

interface Options {
  /** Selects the response to hold back: the first one that matches. */
  readonly hold?: (request: Passing) => boolean;
  /** The status of a response that the proxy sends itself, without forwarding the request. */
  readonly refuse?: (request: Passing) => number | undefined;
}

export const holdingProxy = async (
  target: string,
  { hold = () => false, refuse = () => undefined }: Options = {},
): Promise<HoldingProxy> => {
  const passed: Passing[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  let tellHeld = (_: Passing): void => {};
  const held = new Promise<Passing>((resolve) => {
    tellHeld = resolve;
  });
  const origin = await hostileServer(target, async ({ method, path, body }, correct) => {
    const passing = { method, path, body: body.toString() };
    passed.push(passing);
    const refusal = refuse(passing);
    if (refusal !== undefined) return { status: refusal, headers: {}, body: "" };
    const reply = await correct();
    if (!isHeld && hold(passing)) {
      isHeld = true;
      tellHeld(passing);
      await released;
    }
    return reply;
  });
  return { origin, passed, held, release };
};
