/** Why a document refuses a response of one of its operations. */

import type { ApiOperation, ApiResponse, Sender } from "../document/model.ts";
import type { Judge } from "./judge.ts";
import { covers, schemaRefusals } from "./judge-content.ts";
import { parameterRefusals } from "./judge-request.ts";
import type { Refusal, ResponseMessage } from "./message.ts";

/** None where the document allows it. */
export const refusalsOfResponse = (
  judge: Judge,
  operation: ApiOperation,
  message: ResponseMessage,
): Refusal[] => {
  const response = responseFor(operation, String(message.status));
  if (response === undefined) {
    const text = `it lists ${Object.keys(operation.responses).join(", ")}`;
    return [{ place: "status", pointer: "", keyword: String(message.status), text }];
  }
  const sender: Sender = operation.kind === "call" ? "service" : "caller";
  const headers = response.headers.flatMap((header) =>
    parameterRefusals(judge, header, message.headers, sender),
  );
  return [...headers, ...contentRefusals(judge, response, message, sender)];
};

/** The status itself, then its range, then `default`. */
export const responseFor = ({ responses }: ApiOperation, status: string): ApiResponse | undefined =>
  responses[status] ?? responses[`${status[0]}XX`] ?? responses.default;

/** A response without `content` says nothing of the body. */
const contentRefusals = (
  judge: Judge,
  { content }: ApiResponse,
  message: ResponseMessage,
  sender: Sender,
): Refusal[] => {
  const mediaTypes = Object.keys(content);
  if (mediaTypes.length === 0) return [];
  if (!("body" in message))
    return [{ place: "response body", pointer: "", keyword: "content", text: "a body is needed" }];
  const mediaType = mediaTypes.find((one) => covers(one, message.mediaType ?? ""));
  if (mediaType === undefined) {
    const text = `it lists ${mediaTypes.join(", ")}`;
    return [{ place: "media type", pointer: "", keyword: message.mediaType ?? "", text }];
  }
  return schemaRefusals(judge, "response body", content[mediaType], message.body, sender);
};
