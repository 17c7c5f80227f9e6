/** The exercises for callers of installments. */
import { commonExercises, type Exercise, lostAnswer, type Occasion } from "../../../judging/exercise.ts";

const isAny = ({ operation }: Occasion): boolean => operation !== undefined && !operation.outbound;

export const exercises: readonly Exercise[] = [
  ...commonExercises("installments", isAny, []),
  lostAnswer("installments.creation-lost", "choose an offer as a plan", ["postPlans"]),
  lostAnswer("installments.lost-answer", "create something"),
];
