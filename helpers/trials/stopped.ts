/** The two reasons for which a trial stops before its end. */

/** What a trial needs is not there, and nobody is to blame: its requirements are `not-tried`, with this reason. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/** The target does not answer as it has to before anything can be shown: what is still to be tried is `blocked`, not failed. */
export class TargetLost extends Error {
  override readonly name = "TargetLost";
}
