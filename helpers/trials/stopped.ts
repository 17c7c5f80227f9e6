/** The two errors that stop a trial early. */

/** A prerequisite is missing, which is not a failure. The trial's requirements are `not-tried`, with this reason. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/** What the target answered did not give a resource or a token that the trial needs. */
export class NotArranged extends NotTried {}

/** The target does not respond as the trial needs. The trial's requirements are `blocked`, not failed. */
export class TargetLost extends Error {
  override readonly name = "TargetLost";
}
