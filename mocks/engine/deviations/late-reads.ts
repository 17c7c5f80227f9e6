/** Shows changes late, in a sandbox with such a difference: for a moment, reads are answered from the state before. */
import type { Operation } from "../../../helpers/contract/contract.ts";
import type { Answer } from "../call.ts";
import type { Clock } from "../clock.ts";
import { type Image, imageOf, restoreImage, type Stores } from "../values/image.ts";

/** A service with a state. */
interface Stateful {
  stores?(): Stores;
}

export interface LateReads<Open extends Stateful> {
  /** Keeps the present state, before a call that may change it. */
  keep(): void;
  /** Yields a copy of the service in its states before the calls of the last moment, the oldest state first. */
  before(): Iterable<Open>;
}

/** Each state is tried until one has what is read. */
const MOST_STATES = 5;

/**
 * @param copy another copy of the service, with a state of its own
 * @param lateness milliseconds until a change shows
 */
export const lateReads = <Open extends Stateful>(
  open: Open,
  copy: Open,
  { clock, lateness }: { readonly clock: Clock; readonly lateness: number },
): LateReads<Open> => {
  let kept: readonly { readonly at: number; readonly image: Image }[] = [];
  let restored: Image | undefined;
  const recent = () => {
    const from = clock.now().getTime() - lateness;
    kept = kept.filter(({ at }) => at > from);
    return kept;
  };
  return {
    keep() {
      const present = { at: clock.now().getTime(), image: imageOf(open.stores?.() ?? {}) };
      kept = [...recent(), present].slice(-MOST_STATES);
    },
    *before() {
      for (const { image } of recent()) {
        if (restored !== image) restoreImage(copy.stores?.() ?? {}, image, () => false);
        restored = image;
        yield copy;
      }
    },
  };
};

/** Answers a read as before the last changes, if it was answered with success then: what is new shows at once. */
export const withLateReads = async <Open extends Stateful>(
  { open, late }: { readonly open: Open; readonly late?: LateReads<Open> | undefined },
  { method }: Operation,
  handle: (service: Open) => Answer | Promise<Answer>,
): Promise<Answer> => {
  if (method !== "GET") late?.keep();
  const answer = await handle(open);
  for (const before of (method === "GET" && late?.before()) || []) {
    const earlier = await handle(before);
    if (earlier.status < 300) return earlier;
  }
  return answer;
};
