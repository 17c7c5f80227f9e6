/** Drafts messages that a document allows, with the properties that a witness needs. */

import { parameterKey } from "../document/messages.ts";
import { type ApiOperation, type ApiParameter, type Content, sendersOf } from "../document/model.ts";
import { type Judge, NONE, type SenderJudge } from "./judge.ts";
import type { RequestMessage, ResponseMessage } from "./message.ts";
import { textsOf } from "./parameter-texts.ts";

/** The differences between a draft and the smallest message. */
export interface Wanted {
  /** Values by key of a parameter or header; `NONE` represents a generated value. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The key of a header that must be absent. */
  readonly without?: string;
  readonly mediaType?: string;
  /** The body; absent for a generated body, `NONE` for a message without a body. */
  readonly body?: unknown;
  readonly server?: string;
  /** Index of the security alternative whose credentials the message contains. */
  readonly alternative?: number;
  readonly status?: string;
}

/** Returns `undefined` if a required value could not be generated. */
export const draftRequest = (
  judge: Judge,
  operation: ApiOperation,
  wanted: Wanted,
): RequestMessage | undefined => {
  const { content: contents = {}, required = false } = operation.body ?? {};
  const own = judge.of(sendersOf(operation).request);
  const texts = textsFor(own, operation.parameters, wanted);
  const content = contentFor(own, contents, wanted, required);
  if (texts === undefined || content === undefined) return undefined;
  const { alternatives } = operation.security;
  const credentials = alternatives[wanted.alternative ?? 0] ?? [];
  return {
    kind: "request",
    ...(operation.kind === "delivery" && { delivery: operation.key }),
    ...(wanted.server !== undefined && { server: wanted.server }),
    method: operation.method,
    path: operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
      encodeURIComponent(texts.path.find(([key]) => key === name)?.[1] || "1"),
    ),
    query: texts.query,
    headers: texts.header,
    cookies: texts.cookie,
    credentials: credentials.map(({ wire, scopes }) => ({ wire, scopes })),
    ...content,
  };
};

export const draftResponse = (
  judge: Judge,
  operation: ApiOperation,
  wanted: Wanted & { readonly status: string },
): ResponseMessage | undefined => {
  const response = operation.responses[wanted.status];
  if (response === undefined) return undefined;
  const own = judge.of(sendersOf(operation).response);
  const texts = textsFor(own, response.headers, wanted);
  const content = contentFor(own, response.content, wanted, true);
  if (texts === undefined || content === undefined) return undefined;
  return { kind: "response", status: concrete(wanted.status, operation), headers: texts.header, ...content };
};

/** Returns a status in the range that the document does not list separately. */
const concrete = (status: string, { responses }: ApiOperation): number => {
  if (/^\d+$/.test(status)) return Number(status);
  const first = status === "default" ? 500 : Number(`${status[0]}00`);
  const free = Array.from({ length: 99 }, (_, at) => first + at).find(
    (one) => responses[String(one)] === undefined,
  );
  return free ?? first;
};

type Texts = Record<ApiParameter["in"], (readonly [string, string])[]>;

const textsFor = (
  judge: SenderJudge,
  parameters: readonly ApiParameter[],
  { values = {}, without }: Wanted,
): Texts | undefined => {
  const texts: Texts = { path: [], query: [], header: [], cookie: [] };
  for (const parameter of parameters) {
    const key = parameterKey(parameter);
    if (key === without || (!parameter.required && !(key in values))) continue;
    const given = key in values ? values[key] : NONE;
    const value = given === NONE ? judge.sample(parameter.schema) : given;
    if (value === NONE) return undefined;
    texts[parameter.in].push(...textsOf(parameter, value));
  }
  return texts;
};

type Body = Pick<RequestMessage, "mediaType" | "body">;

const contentFor = (
  judge: SenderJudge,
  content: Content,
  wanted: Wanted,
  needed: boolean,
): Body | undefined => {
  const mediaType = wanted.mediaType ?? preferred(Object.keys(content));
  if (mediaType === undefined || wanted.body === NONE) return {};
  const named = mediaType.replace("*/*", "application/json").replace("/*", "/plain");
  if ("body" in wanted) return { mediaType: named, body: wanted.body };
  if (!needed && wanted.mediaType === undefined) return {};
  const body = judge.sample(content[mediaType] ?? true);
  return body === NONE ? undefined : { mediaType: named, body };
};

const preferred = (mediaTypes: readonly string[]): string | undefined =>
  mediaTypes.find((one) => one.includes("json")) ?? mediaTypes[0];
