/** Judges what an item of a situation shows that an earlier run may have used: it passes, but it does not always fail. */
import querystring from "node:querystring";
import type { Exchange } from "../exchange/exchange.ts";
import { because, type Reason, sentenceOf } from "../reasons/reason.ts";
import type { Capabilities, UsedItem } from "../target/capabilities.ts";
import type { Judge } from "./judge.ts";
import type { Trial } from "./trial.ts";
import { isRefusal } from "./unarranged.ts";

/** Returns the judge of a trial, which leaves a violation untried that an earlier run may have caused. */
export const fairToUsed = (
  judge: Judge,
  { requirements }: Pick<Trial, "requirements">,
  { mayBeUsed = () => undefined }: Capabilities,
): Judge => {
  const seen = new Set<UsedItem>();
  let refused: UsedItem | undefined;
  const itemsIn = ({ request: { url } }: Exchange): UsedItem[] =>
    new URL(url).pathname.split("/").flatMap((step) => mayBeUsed(querystring.unescape(step)) ?? []);
  return {
    ...judge,
    record(requirement, result, shown, sequence) {
      const rests = ({ restsOnUntouched = requirements }: UsedItem) => restsOnUntouched.includes(requirement);
      const item = result.holds ? undefined : shown.flatMap(itemsIn).find(rests);
      if (item === undefined) judge.record(requirement, result, shown, sequence);
      else judge.notTried(requirement, doubted(result.message, item));
    },
    notTried(requirement, reason) {
      const item = [...seen].find((one) => one.restsOnUntouched?.includes(requirement)) ?? refused;
      judge.notTried(requirement, item === undefined ? reason : doubted(sentenceOf(reason), item));
    },
    count(exchange, tried, isRefusable) {
      const items = itemsIn(exchange);
      for (const item of items) seen.add(item);
      if (isRefusal(exchange) && !isRefusable) refused ??= items[0];
      judge.count(exchange, tried, isRefusable);
    },
  };
};

const doubted = (what: string, { name }: UsedItem): Reason => because("maybe-used", what, name);
