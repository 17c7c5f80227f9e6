/** Drafts messages that a document allows, with the properties that a witness needs. */
import { defined } from "../../../helpers/contract/json.ts";
import { NONE, type Wanted } from "../compare/wanted.ts";
import { parameterKey } from "../document/messages.ts";
import {
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type Content,
  type Credential,
  responseFor,
  type Sender,
  sendersOf,
} from "../document/model.ts";
import { isEnough } from "../document/security-schemes.ts";
import type { Judge, SenderJudge } from "./judge.ts";
import type { RequestMessage, ResponseMessage } from "./message.ts";
import { textsOf } from "./parameter-texts.ts";

/** The other document, which should refuse the message at one place only. */
export interface Counterpart {
  readonly judge: Judge;
  readonly operation: ApiOperation | undefined;
  readonly place: string;
}

/** Returns `undefined` if a required value could not be generated. */
export const draftRequest = (
  judge: Judge,
  operation: ApiOperation,
  wanted: Wanted,
  counterpart?: Counterpart,
): RequestMessage | undefined => {
  const sources = sourcesOf(judge, sendersOf(operation).request, counterpart);
  const other = counterpart?.operation;
  const values = valuesFor(sources, operation.parameters, other?.parameters ?? [], wanted);
  const content = contentFor(sources, bodyOf(operation.body), bodyOf(other?.body), wanted);
  if (values === undefined || content === undefined) return undefined;
  const texts = textsFor(values);
  const { meaning, accept, awaits } = wanted;
  const means = meaning && Object.fromEntries(values.map(([one, value]) => [parameterKey(one), value]));
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
    credentials: credentialsFor(operation, wanted, counterpart),
    ...defined({ accept, awaits }),
    ...(meaning !== undefined && means !== undefined && { means: { [meaning.key]: means[meaning.key] } }),
    ...content,
  };
};

export const draftResponse = (
  judge: Judge,
  operation: ApiOperation,
  wanted: Wanted & { readonly status: string },
  counterpart?: Counterpart,
): ResponseMessage | undefined => {
  const response = operation.responses[wanted.status];
  if (response === undefined) return undefined;
  const sources = sourcesOf(judge, sendersOf(operation).response, counterpart);
  const status = concrete(wanted.status, operation);
  const other = counterpart?.operation && responseFor(counterpart.operation, String(status));
  const values = valuesFor(sources, response.headers, other?.headers ?? [], wanted);
  const content = contentFor(sources, answerOf(response), answerOf(other), wanted);
  if (values === undefined || content === undefined) return undefined;
  return { kind: "response", status, headers: textsFor(values).header, ...content };
};

interface Sources {
  readonly own: SenderJudge;
  readonly other: SenderJudge | undefined;
  readonly place: string;
}

const sourcesOf = (judge: Judge, sender: Sender, counterpart: Counterpart | undefined): Sources => ({
  own: judge.of(sender),
  other: counterpart?.judge.of(sender),
  place: counterpart?.place ?? "",
});

/** Returns a value that the own document allows and, if possible, the other one too. */
const sampled = ({ own, other }: Sources, schema: unknown, otherSchema: unknown): unknown => {
  const small = own.sample(schema);
  if (other === undefined || otherSchema === undefined) return small;
  const fits = (value: unknown): boolean => other.validate(otherSchema, value).length === 0;
  if (small === NONE || fits(small)) return small;
  const isCommon = (value: unknown): boolean => own.validate(schema, value).length === 0 && fits(value);
  const common = own.find(schema, { samples: "optional", attempts: 20 }, isCommon);
  return common === NONE ? small : common;
};

/** Returns the credentials of one alternative, and those that the other document requires besides. */
const credentialsFor = (
  { security }: ApiOperation,
  { alternative }: Wanted,
  counterpart: Counterpart | undefined,
): RequestMessage["credentials"] => {
  const own = security.alternatives[alternative ?? 0] ?? [];
  const others = alternative === undefined ? (counterpart?.operation?.security.alternatives[0] ?? []) : [];
  const isGiven = (wanted: Credential): boolean => isEnough(own, { alternatives: [[wanted]] });
  return [...own, ...others.filter((one) => !isGiven(one))].map(({ wire, scopes }) => ({ wire, scopes }));
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

/** Parameters with their values. */
type Values = readonly (readonly [ApiParameter, unknown])[];

/** Returns the value of each parameter that the message has; `undefined` if one could not be generated. */
const valuesFor = (
  sources: Sources,
  parameters: readonly ApiParameter[],
  others: readonly ApiParameter[],
  wanted: Wanted,
): Values | undefined => {
  const known = new Map(others.map((one) => [parameterKey(one), one]));
  const drawn = parameters.flatMap((parameter): Values => {
    const key = parameterKey(parameter);
    const isNeeded = parameter.required || (known.get(key)?.required && key !== sources.place);
    if (key === wanted.without || (!isNeeded && !isGiven(wanted, key))) return [];
    const other = key === sources.place ? undefined : known.get(key);
    return [[parameter, valueFor(sources, parameter, other, wanted)]];
  });
  const own = new Set(parameters.map(parameterKey));
  const added = others
    .filter((one) => one.required && one.in !== "path" && !own.has(parameterKey(one)))
    .filter((one) => parameterKey(one) !== sources.place)
    .map((one) => [one, sources.other?.sample(one.schema)] as const);
  const all = [...drawn, ...added];
  return all.some(([, value]) => value === NONE) ? undefined : all;
};

const isGiven = ({ values = {}, meaning }: Wanted, key: string): boolean =>
  key in values || key === meaning?.key;

const valueFor = (
  sources: Sources,
  parameter: ApiParameter,
  other: ApiParameter | undefined,
  { values = {}, meaning }: Wanted,
): unknown => {
  const key = parameterKey(parameter);
  if (key === meaning?.key) return sources.own.sample({ allOf: [meaning.demand, parameter.schema] });
  const given = key in values ? values[key] : NONE;
  return given === NONE ? sampled(sources, parameter.schema, other?.schema) : given;
};

const textsFor = (values: Values) => {
  const texts: Record<ApiParameter["in"], (readonly [string, string])[]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
  };
  for (const [parameter, value] of values) texts[parameter.in].push(...textsOf(parameter, value));
  return texts;
};

interface Described {
  readonly content: Content;
  readonly isNeeded: boolean;
}

const bodyOf = (body: ApiOperation["body"]): Described | undefined =>
  body && { content: body.content, isNeeded: body.required };
const answerOf = (response: ApiResponse | undefined): Described | undefined =>
  response && { content: response.content, isNeeded: true };

const contentFor = (
  sources: Sources,
  own: Described | undefined,
  other: Described | undefined,
  wanted: Wanted,
): Pick<RequestMessage, "mediaType" | "body"> | undefined => {
  const isCommon = !sources.place.endsWith("body");
  const isDescribed = Object.keys(own?.content ?? {}).length > 0;
  const content = (isDescribed || !isCommon || !other?.isNeeded ? own : other)?.content ?? {};
  const mediaTypes = Object.keys(content);
  const shared = mediaTypes.filter((one) => other !== undefined && one in other.content);
  const mediaType = wanted.mediaType ?? preferred(shared) ?? preferred(mediaTypes);
  if (mediaType === undefined || wanted.body === NONE) return {};
  const named = mediaType.replace("*/*", "application/json").replace("/*", "/plain");
  if ("body" in wanted) return { mediaType: named, body: wanted.body };
  const isNeeded = own?.isNeeded || (isCommon && other?.isNeeded);
  if (!isNeeded && wanted.mediaType === undefined) return {};
  const schema = content[mediaType] ?? true;
  const body = sampled(sources, schema, isCommon ? other?.content[mediaType] : undefined);
  return body === NONE ? undefined : { mediaType: named, body };
};

const preferred = (mediaTypes: readonly string[]): string | undefined =>
  mediaTypes.find((one) => one.includes("json")) ?? mediaTypes[0];
