/** What data makers are made of. */
import { fakerAt as at } from "./quick-faker.ts";

/** Seeds to make a value from: the same draw gives the same value. */
export interface Draw {
  /** Shared by the values of one body, so that a name, an e-mail address and a country go together. */
  readonly person: number;
  /** Different at each place, so that two identifiers are two. */
  readonly leaf: number;
  /** The one country that the contract serves, as ISO 3166 alpha-2; any without it. */
  readonly country?: string | undefined;
  /** What a name ends with that nobody else may have. */
  readonly tag?: string | undefined;
}

export interface DataMaker {
  make(draw: Draw): string | number | boolean;
  /** A value of exactly `length` ASCII characters that is as plausible as it can be. */
  ofLength?(length: number, draw: Draw): string;
  /** Any character may stand in the value. */
  readonly freeText?: true;
  /** Stands for something that a server must know: a made-up value may be refused for being unknown. */
  readonly known?: true;
  /** Leftover out where it is optional: a made-up value names nothing that the server has. */
  readonly onlyOnDemand?: true;
  /** Lengths at which acceptance is promised, where schema and standard contradict each other. */
  readonly acceptedLengths?: readonly number[];
}

/** The text again and again, cut at `length` characters. */
export const repeatTo = (text: string, length: number): string =>
  length > 0 ? text.repeat(Math.ceil(length / text.length)).slice(0, length) : "";

export const pick = <Row>(rows: readonly Row[], seed: number): Row => rows[seed % rows.length] as Row;

export const lettersOnly = (text: string): string => text.replaceAll(/[^A-Za-z]/g, "");

export const digits = (length: number, { leaf }: Draw): string =>
  length > 0 ? at(leaf).string.numeric(length) : "";

export const alphanumerics = (length: number, { leaf }: Draw): string =>
  length > 0 ? at(leaf).string.alphanumeric({ length, casing: "upper" }) : "";

/** Digits of that many places, of any length where a probe asks for it. */
export const numeric = (length: number): DataMaker => ({
  make: (draw) => digits(length, draw),
  ofLength: digits,
});

/** Text of people: any character may stand in it. */
export const freeText = (make: (draw: Draw) => string): DataMaker => ({
  make,
  freeText: true,
  ofLength: (length, draw) => repeatTo(make(draw), length),
});
