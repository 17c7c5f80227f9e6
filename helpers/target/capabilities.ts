/** What a target can offer a test beyond its documented operations. */

export type Capability =
  | "clock"
  | "deliveries"
  | "disposable-partner"
  | "linked-accounts"
  | "situations"
  | "new-implementation";

export interface Capabilities {
  has(capability: Capability): boolean;
  /**
   * Brings about a situation that no client can provoke by itself, for example an internal failure.
   * @returns configuration values by environment name under which the situation holds, for this trial alone
   * @throws when the target does not offer the situation; ask `offers` first
   */
  arrange(situation: string, parameters?: Readonly<Record<string, unknown>>): Promise<Record<string, string>>;
  offers(situation: string): boolean;
  /** Links test accounts to a customer; with the capability `linked-accounts` only. */
  linkAccounts?(customer: string): Promise<void>;
  /** Moves the target's clock; with the capability `clock` only. */
  advanceClock?(seconds: number): Promise<void>;
  /** Comes back once the target has sent all that is due; with the capability `deliveries` only. */
  settleDeliveries?(): Promise<void>;
  /**
   * Makes the standard port of a host name lead to our receiver, as if the host were known to the target alone.
   * @param receiver address of the receiver on this machine; its scheme tells the port, 80 or 443
   */
  resolveReceiver?(host: string, receiver: string): Promise<void>;
}
