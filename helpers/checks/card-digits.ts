/** Checks that the card digits in a response match the enrolled card. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";

export const checkBin = (primaryAccountNumber: string, panBin: unknown): CheckResult =>
  checkThat(typeof panBin === "string" && panBin !== "" && primaryAccountNumber.startsWith(panBin), {
    pointer: "/maskedCard/panBin",
    message: "panBin is not how the card number begins",
    expected: "the first digits of the card number",
    actual: String(panBin),
  });

export const checkLastFour = (primaryAccountNumber: string, panLastFour: unknown): CheckResult =>
  checkThat(panLastFour === primaryAccountNumber.slice(-4), {
    pointer: "/maskedCard/panLastFour",
    message: "panLastFour is not how the card number ends",
    expected: primaryAccountNumber.slice(-4),
    actual: String(panLastFour),
  });
