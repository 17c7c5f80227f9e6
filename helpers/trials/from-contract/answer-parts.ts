/** Judges the media type and the headers of every answer, and what changed in it since another version of the document. */
import { checkHeader, checkMediaType, checkText } from "../../checks/answer-parts.ts";
import { isOfGateway } from "../../checks/json-body.ts";
import type { Contract, Operation, Response } from "../../contract/contract.ts";
import { requirementOf } from "../../contract/lookups.ts";
import { keptIn, oncePer } from "../../contract/once.ts";
import { headerSuffix, headersOf, MEDIA_TYPE, TEXT } from "../../contract/operation-requirements.ts";
import type { CheckResult } from "../../exchange/check-result.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { ObservedContext } from "../trial.ts";
import { changeParts } from "./changed-answers.ts";

interface Part {
  readonly requirement: string;
  check(exchange: Exchange, response: Response, context: ObservedContext): CheckResult | undefined;
}

/** Returns the checks of media types, headers and changes that the contract has requirements for. */
export const partsOf = (contract: Contract, operation: Operation): readonly Part[] =>
  keptIn(partsByOperation(contract), operation, () => {
    const of = `${contract.service}.${operation.operationId}`;
    const all: readonly Part[] = [
      { requirement: `${of}.${MEDIA_TYPE}`, check: checkMediaType },
      {
        requirement: `${of}.${TEXT}`,
        check: (exchange, response, { validator }) => checkText(exchange, response, validator),
      },
      ...headersOf(operation).map(
        (name): Part => ({
          requirement: `${of}.${headerSuffix(name)}`,
          check: (exchange, { headers = {} }, { validator }) => {
            const header = headers[name];
            return header && checkHeader(exchange, name, header, { schemas: contract.schemas, validator });
          },
        }),
      ),
      ...(contract.changes === undefined ? [] : changeParts(contract, operation)),
    ];
    return all.filter(({ requirement }) => requirementOf(contract, requirement) !== undefined);
  });

const partsByOperation = oncePer((_: Contract) => new WeakMap<Operation, readonly Part[]>());

export const observeParts = (
  operation: Operation,
  response: Response | undefined,
  exchange: Exchange,
  context: ObservedContext,
): void => {
  // Our document assumes an answer that the provider's document states.
  if (response === undefined || (response.level === "assumed" && context.contract.provider === null)) return;
  if (isOfGateway(exchange, context.hasOwnCredentials === true)) return;
  for (const { requirement, check } of partsOf(context.contract, operation)) {
    const result = check(exchange, response, context);
    if (result !== undefined) context.judge.record(requirement, result, [exchange]);
  }
};
