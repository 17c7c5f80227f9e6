/** Why a document refuses the content of a message. */

import type { Sender } from "../document/model.ts";
import type { Judge } from "./judge.ts";
import type { Refusal } from "./message.ts";

/** Whether a media type, or a range of them such as `text/*`, takes another. */
export const covers = (range: string, mediaType: string): boolean =>
  range === mediaType ||
  range === "*/*" ||
  (range.endsWith("/*") && mediaType.startsWith(range.slice(0, -1)));

export const schemaRefusals = (
  judge: Judge,
  place: string,
  schema: unknown,
  value: unknown,
  sender: Sender,
): Refusal[] =>
  judge.validate(schema, value, sender).map(({ pointer, keyword, message }) => ({
    place,
    pointer,
    keyword,
    text: `${pointer === "" ? "it" : pointer} ${message}`,
  }));
