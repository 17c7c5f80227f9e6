/** The faults in force in one tenant, put into effect. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Answer } from "../service.ts";
import { type Validators, validatorsOf } from "../validators.ts";
import { editAt } from "../values/pointer.ts";
import type { AnswerBend, Fault, PathBend, RequestBend, Which } from "./fault.ts";

export interface Bends {
  readonly validators: Validators;
  readonly paths: readonly PathBend[];
  behaves(name: string): boolean;
  /** @param operation absent when the request reached none */
  answer(answer: Answer, operation?: Operation): Answer;
}

/** @param unbent validators of the contract as it is */
export const bendsOf = (contract: Contract, unbent: Validators, faults: readonly Fault[]): Bends => {
  const bends = faults.filter((fault) => fault.service === contract.service).flatMap((fault) => fault.bends);
  const requests = bends.filter((bend): bend is RequestBend => bend.kind === "request");
  const answers = bends.filter((bend): bend is AnswerBend => ANSWER_KINDS.has(bend.kind));
  const behaviours = new Set(bends.flatMap((bend) => (bend.kind === "behaviour" ? [bend.name] : [])));
  return {
    validators: requests.length === 0 ? unbent : validatorsOf(contract, requests, unbent),
    paths: bends.filter((bend) => bend.kind === "path"),
    behaves: (name) => behaviours.has(name),
    answer: (answer, operation) => {
      const fitting = answers.filter((bend) => fits(bend.when, answer, operation));
      return fitting.reduce(applied, answer);
    },
  };
};

const ANSWER_KINDS: ReadonlySet<string> = new Set(["json", "raw", "status", "header"]);

const fits = (when: Which, answer: Answer, operation: Operation | undefined): boolean =>
  (when.operationId === undefined || when.operationId === operation?.operationId) &&
  (when.status === undefined || when.status === answer.status) &&
  (when.cause === undefined || (answer.cause !== undefined && when.cause.includes(answer.cause)));

const applied = (answer: Answer, bend: AnswerBend): Answer => {
  if (bend.kind === "status") return { ...answer, status: bend.to };
  if (bend.kind === "json") {
    const { written: _, ...rest } = answer;
    return { ...rest, json: editAt(answer.json, bend.pointer, bend.edit) };
  }
  if (bend.kind === "header") return { ...answer, headers: withHeader(answer.headers ?? {}, bend) };
  const { json: _, written: __, ...rest } = answer;
  const { content, contentType } = bend;
  return { ...rest, raw: { content, ...(contentType !== undefined && { contentType }) } };
};

const withHeader = (
  headers: Readonly<Record<string, string>>,
  { name, to }: { readonly name: string; readonly to: string | null },
): Record<string, string> => {
  const { [name]: _, ...others } = headers;
  return to === null ? others : { ...others, [name]: to };
};
