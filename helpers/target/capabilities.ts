/** The capabilities of a target beyond its documented operations. */

export type Capability =
  | "clock"
  | "deliveries"
  | "disposable-partner"
  | "linked-accounts"
  | "situations"
  | "new-implementation"
  | "hosted-pages";

/** An e-mail that the target sent. */
export interface Mail {
  readonly to: string;
  readonly link: string;
}

/** A situation whose items serve one trial each, so that an earlier run may have used them. */
export interface UsedItem {
  readonly name: string;
  readonly restsOnUntouched?: readonly string[];
}

export interface Capabilities {
  has(capability: Capability): boolean;
  /**
   * Returns what is known of a situation that no client can cause, or causes it: for example an internal failure.
   * @returns identifiers by name, for example `{ customer: "1" }`, with which the situation applies
   * @throws NotTried or Error when the target does not offer the situation; check `offers` first
   */
  arrange(
    situation: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>>;
  /** Returns the situation that gave an identifier, if an earlier run may have used what it identifies. */
  mayBeUsed?(id: string): UsedItem | undefined;
  offers(situation: string, parameters?: Readonly<Record<string, unknown>>): boolean;
  /** Links test accounts to a customer; with the capability `linked-accounts` only. */
  linkAccounts?(customer: string): Promise<void>;
  /** Moves the target's clock; with the capability `clock` only. */
  advanceClock?(seconds: number): Promise<void>;
  /** Returns the e-mails that the target has sent. */
  mails?(): Promise<readonly Mail[]>;
  /** Resolves when the target has sent all due deliveries; with the capability `deliveries` only. */
  settleDeliveries?(): Promise<void>;
  /**
   * Redirects the standard port of a host name to our receiver, on the target only.
   * @param receiver URL of the receiver on this machine; its scheme determines the port, 80 or 443
   */
  resolveReceiver?(host: string, receiver: string): Promise<void>;
}
