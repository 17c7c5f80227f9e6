/**
 * What somebody offers of a target beyond its documented operations. Both the user's situations file and the admin
 * interface of our sandbox are described by an offer.
 */
import type { Capability, UsedItem } from "../target/capabilities.ts";

export interface Offer {
  /** The ways to each situation, by its name. */
  readonly situations: Readonly<Record<string, readonly Way[]>>;
  /** Moves the clock of the target: gets `{"advance": seconds}`. */
  readonly clock?: Hook;
  /** Links test accounts to a customer: gets `{"customerId": id}`. */
  readonly "linked-accounts"?: Hook;
  /** Returns the e-mails that the target has sent: `[{"to": address, "link": URL}]`. */
  readonly mail?: Hook;
  /** What else is known of the target. */
  readonly capabilities?: readonly Capability[];
}

/** One way to a situation: what is known of it, or a hook that causes it. */
export type Way = {
  /** The parameters that it fits. A parameter that is absent here may have any value. */
  readonly with?: Parameters;
  /** Set if each item serves one trial only, which changes or deletes it. */
  readonly once?: UsedItem;
  /** Whether no run has used it. */
  readonly untouched?: boolean;
} & (Known | Hook);

export interface Known {
  /** By name of the identifier, for example `{ customer: "1" }`. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A command or an HTTP request. It gets the parameters as JSON, and answers with JSON. */
export type Hook =
  | {
      /** The program and its arguments. The parameters are on its standard input. */
      readonly command: readonly string[];
      /** The folder in which it runs. */
      readonly folder?: string;
    }
  | {
      readonly http: {
        readonly url: string;
        /** `POST` by default. */
        readonly method?: string;
        readonly headers?: Readonly<Record<string, string>>;
        /** Fields of the body besides the parameters. */
        readonly body?: Readonly<Record<string, unknown>>;
        /** The time limit in milliseconds, if it is not the usual one of a hook. */
        readonly limitMs?: number;
      };
    };

export type Parameters = Readonly<Record<string, unknown>>;

export const isHook = (way: Known | Hook): way is Hook => !("ids" in way);

/** Whether a way fits the parameters. Values are compared as JSON. */
export const fits = ({ with: wanted = {} }: Way, given: Parameters): boolean =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(given[name]) === JSON.stringify(value));
