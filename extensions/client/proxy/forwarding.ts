/** The settings of an exchange on its way: its target, and the changes by an exercise. */
import type { Dispatcher } from "undici";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { SealedPlaces } from "../../../helpers/gateway/gateway.ts";
import type { Mount } from "./addresses.ts";
import type { Reply } from "./reply.ts";
import type { Rewriting } from "./rewriting.ts";
import type { Signatures } from "./signatures.ts";

/** Changes the exchange for an exercise. */
export interface Intervention {
  /** Ids of the exercises that change the exchange. */
  readonly exercises?: readonly string[];
  /** Answers in place of the target. */
  readonly instead?: (request: Exchange["request"]) => Promise<Reply>;
  /** Runs between the request and the answer, for example to let time pass. */
  readonly before?: (signal: AbortSignal) => Promise<void>;
  /** Changes a response. */
  readonly change?: (reply: Reply) => Promise<Reply>;
  /** Takes the change back if none was made: no answer came, or one that is too large to change. */
  readonly takeBack?: () => void;
  /** Runs before the client gets the answer, or after that. */
  readonly beforeReply?: (reply: Reply) => Promise<void>;
  readonly afterReply?: (reply: Reply) => Promise<void>;
  /** Runs after the exchange was recorded, before the client gets the answer. */
  readonly after?: () => Promise<void>;
  /** A query parameter that the target does not get. */
  readonly withoutParameter?: string;
  /** `reset`: the connection ends after the target took the request; `half`: in the middle of the answer. */
  readonly cut?: "reset" | "half";
}

export const NO_INTERVENTION: Intervention = {};

export interface Forwarding {
  readonly mount: Mount;
  /** The path and query at the target. */
  readonly path: string;
  /** The address that the client used. */
  readonly asked: string;
  readonly dispatcher: Dispatcher;
  /** Replaces addresses of the target in answers. */
  readonly outward: Rewriting;
  readonly intervention: Intervention;
  /** Changes the body before it is sent. */
  readonly rewrite: (body: string) => Promise<string>;
  /** Returns the plain body of the request; `undefined` if it was not encrypted for the proxy. */
  readonly plain: () => string | undefined;
  /** Decrypts an answer, as far as possible: the same one if it is not encrypted. */
  readonly open: (reply: Reply) => Promise<Reply>;
  /** Encrypts a plain answer for the client, like the received one, if the gateway encrypts answers. */
  readonly seal: (reply: Reply, received?: Reply) => Promise<Reply>;
  readonly signatures: Signatures;
  /** Records the exchange. The client has not got the end of the response then. */
  readonly onEnd: (ended: Pick<Exchange, "request" | "response" | "failure">) => void;
  /** Whether such bodies have encrypted parts. */
  readonly isSealed: (part: keyof SealedPlaces) => boolean;
  /** Runs when a body passes unchanged although it may contain addresses, or may be encrypted. */
  readonly onUnchanged: (part: keyof SealedPlaces) => void;
  /** Whether the proxy itself closes the connections. */
  readonly isClosing: () => boolean;
}
