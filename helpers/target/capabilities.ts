/** The capabilities of a target beyond its documented operations. */

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
   * Causes a situation that no client can cause, for example an internal failure.
   * @returns configuration values by environment name, with which the situation applies to this trial only
   * @throws Error when the target does not offer the situation; check `offers` first
   */
  arrange(situation: string, parameters?: Readonly<Record<string, unknown>>): Promise<Record<string, string>>;
  offers(situation: string): boolean;
  /** Links test accounts to a customer; with the capability `linked-accounts` only. */
  linkAccounts?(customer: string): Promise<void>;
  /** Moves the target's clock; with the capability `clock` only. */
  advanceClock?(seconds: number): Promise<void>;
  /** Resolves when the target has sent all due deliveries; with the capability `deliveries` only. */
  settleDeliveries?(): Promise<void>;
  /**
   * Redirects the standard port of a host name to our receiver, on the target only.
   * @param receiver URL of the receiver on this machine; its scheme determines the port, 80 or 443
   */
  resolveReceiver?(host: string, receiver: string): Promise<void>;
}
