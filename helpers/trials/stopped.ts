/** The errors that stop a trial early. Each has the reason for the requirements of the trial. */
import { because, type Reason, sentenceOf, type Why } from "../reasons/reason.ts";

class Stopped extends Error {
  readonly reason: Reason;
  constructor(...why: Why) {
    const reason = because(...why);
    super(sentenceOf(reason));
    this.reason = reason;
  }
}

/** A prerequisite is missing, which is not a failure. The trial's requirements are `not-tried`. */
export class NotTried extends Stopped {
  override readonly name = "NotTried";
}

/** What the target answered did not give a resource or a token that the trial needs. */
export class NotArranged extends NotTried {}

/** The target does not respond as the trial needs. The trial's requirements are `blocked`, not failed. */
export class TargetLost extends Stopped {
  override readonly name = "TargetLost";
}
