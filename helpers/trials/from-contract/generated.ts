/** Generates the trials of a contract: for each kind of trial, the trials of all operations. */
import type { Contract, Operation } from "../../contract/contract.ts";
import { because } from "../../reasons/reason.ts";
import type { Trial } from "../trial.ts";
import { authenticationTrials } from "./authentication.ts";
import { changeTrials } from "./changes.ts";
import { creationTrials } from "./creations.ts";
import { operationTrial, type Subject } from "./operation-trial.ts";
import type { Policy } from "./policy.ts";
import { conditionTrials, mediaTypeTrials } from "./refused-headers.ts";
import { ruleTrials } from "./rules.ts";
import { successTrials } from "./success.ts";
import { unknownIdTrials } from "./unknown-ids.ts";

const KINDS: readonly ((subject: Subject) => Trial[])[] = [
  successTrials,
  creationTrials,
  authenticationTrials,
  unknownIdTrials,
  mediaTypeTrials,
  conditionTrials,
  ruleTrials,
];

export const generatedTrials = (contract: Contract, policy: Policy): Trial[] => {
  const subjects = subjectsOf(contract, policy);
  const logIns = policy.hasLogInTrials ? contract.operations.filter(mayLock) : [];
  const trials = [
    ...KINDS.flatMap((trialsOf) => subjects.flatMap(trialsOf)),
    ...logIns.flatMap((operation) => logInTrials({ contract, policy, operation })),
  ];
  return contract.changes === undefined
    ? trials
    : [...trials, ...changeTrials({ contract, policy }, trials, isGenerated)];
};

const mayLock = ({ refusalHazards }: Operation): boolean => refusalHazards.length > 0;

/** Tries a log-in only as the user does it, because a refused one may lock the account. */
const logInTrials = (subject: Subject): Trial[] => {
  const { contract, operation } = subject;
  const trials = successTrials(subject);
  const tried = new Set(trials.flatMap(({ requirements }) => requirements));
  const others = contract.requirements
    .filter(({ id, operations }) => operations.includes(operation.operationId) && !tried.has(id))
    .map(({ id }) => id);
  const row = { name: "refusals", title: "refused log-ins are not tried", requirements: others };
  const untried = operationTrial(subject, row, async ({ judge }) => {
    for (const id of others)
      if (!judge.hasVerdict(id))
        judge.notTried(id, because("would-harm", "a refused log-in may lock the account of the user"));
  });
  return [...trials, ...untried];
};

export const subjectsOf = (contract: Contract, policy: Policy): Subject[] =>
  contract.operations.filter(isGenerated).map((operation) => ({ contract, policy, operation }));

/**
 * Whether an operation gets generated trials. Failed log-ins lock an account, so only scenarios test the log-in
 * operations. The service itself sends the outbound operations.
 */
const isGenerated = ({ refusalHazards, outbound }: Operation): boolean =>
  refusalHazards.length === 0 && !outbound;
