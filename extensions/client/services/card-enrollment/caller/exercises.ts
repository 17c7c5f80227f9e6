/** The exercises for callers of card enrollment. */
import type { Json } from "../../../../../helpers/contract/json.ts";
import { commonExercises, type Exercise, type Occasion } from "../../../judging/exercise.ts";

const isEnrollment = ({ operation }: Occasion): boolean => operation?.operationId === "putCard";

export const exercises: readonly Exercise[] = [
  {
    id: "card-enrollment.no-masked-consumer",
    requirements: ["response.maskedConsumer.optional"],
    ask: "enroll a card, and something after that",
    fits: isEnrollment,
    act: {
      kind: "change",
      change(json) {
        const { maskedConsumer: _, ...rest } = json as Json;
        return rest;
      },
    },
  },
  {
    id: "card-enrollment.empty-digital-card-data",
    requirements: ["response.digitalCardData.all-optional"],
    ask: "enroll a card, and something after that",
    fits: isEnrollment,
    act: {
      kind: "change",
      change: (json) => {
        const { maskedCard, ...rest } = json as { readonly maskedCard?: Json };
        return { ...rest, ...(maskedCard && { maskedCard: { ...maskedCard, digitalCardData: {} } }) };
      },
    },
  },
  ...commonExercises("card-enrollment", isEnrollment, ["status"]),
];
