/** Drafts messages that a document allows, with the properties that a witness needs. */

import { defined } from "../../contract/json.ts";
import { parameterKey } from "../document/messages.ts";
import { type ApiOperation, type ApiParameter, type Content, sendersOf } from "../document/model.ts";
import { type Judge, NONE, type SenderJudge } from "./judge.ts";
import type { RequestMessage, ResponseMessage } from "./message.ts";
import { textsOf } from "./parameter-texts.ts";

/** The differences between a draft and the smallest message. */
export interface Wanted {
  /** Values by key of a parameter or header; `NONE` represents a generated value. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** A parameter whose text must be read as the value that it was written for, and a demand on that value. */
  readonly meaning?: { readonly key: string; readonly demand: unknown };
  readonly accept?: string;
  readonly awaits?: string;
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
  const values = valuesFor(own, operation.parameters, wanted);
  const content = contentFor(own, contents, wanted, required);
  if (values === undefined || content === undefined) return undefined;
  const texts = textsFor(values);
  const { meaning, accept, awaits } = wanted;
  const means = meaning && Object.fromEntries(values.map(([one, value]) => [parameterKey(one), value]));
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
    ...defined({ accept, awaits }),
    ...(meaning !== undefined && means !== undefined && { means: { [meaning.key]: means[meaning.key] } }),
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
  const values = valuesFor(own, response.headers, wanted);
  const content = contentFor(own, response.content, wanted, true);
  if (values === undefined || content === undefined) return undefined;
  const texts = textsFor(values);
  return { kind: "response", status: concrete(wanted.status, operation), headers: texts.header, ...content };
};

/** Returns a status in the range that the document does not list separately. */
const concrete = (status: string, { responses }: ApiOperation): number => {
  if (/^\d+$/.test(status)) return Number(status);
  const hasSuccess = Object.keys(responses).some((one) => one.startsWith("2"));
  const first = status === "default" ? (hasSuccess ? 500 : 200) : Number(`${status[0]}00`);
  const free = Array.from({ length: 99 }, (_, at) => first + at).find(
    (one) => responses[String(one)] === undefined,
  );
  return free ?? first;
};

type Values = readonly (readonly [ApiParameter, unknown])[];

/** Returns the value of each parameter that the message has; `undefined` if one could not be generated. */
const valuesFor = (
  judge: SenderJudge,
  parameters: readonly ApiParameter[],
  { values = {}, without, meaning }: Wanted,
): Values | undefined => {
  const drawn = parameters.flatMap((parameter): Values => {
    const key = parameterKey(parameter);
    if (key === without || (!parameter.required && !(key in values) && key !== meaning?.key)) return [];
    if (key === meaning?.key)
      return [[parameter, judge.sample({ allOf: [meaning.demand, parameter.schema] })]];
    const given = key in values ? values[key] : NONE;
    return [[parameter, given === NONE ? judge.sample(parameter.schema) : given]];
  });
  return drawn.some(([, value]) => value === NONE) ? undefined : drawn;
};

type Texts = Record<ApiParameter["in"], (readonly [string, string])[]>;

const textsFor = (values: Values): Texts => {
  const texts: Texts = { path: [], query: [], header: [], cookie: [] };
  for (const [parameter, value] of values) texts[parameter.in].push(...textsOf(parameter, value));
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
