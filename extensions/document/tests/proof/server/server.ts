/**
 * A server of any OpenAPI document. It validates requests, keeps resources, and answers with values of the documented
 * schemas. It can be made wrong in one way.
 */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Random } from "../random.ts";
import { readContent } from "./bodies.ts";
import { isObject, type Json } from "./files.ts";
import { concreteType, matchesType } from "./media-types.ts";
import { keyOf, patternOf } from "./paths.ts";
import { answerWith, type Operation, type Parameter } from "./reading.ts";
import { cookiesIn, headerOf, isAllowed, type Request } from "./requests.ts";
import { readNamed, readSegment } from "./styles.ts";
import type { Maker } from "./values.ts";
import { validatorOf } from "./values.ts";

export interface Draft {
  status: number;
  type: string | undefined;
  body: unknown;
  headers: Record<string, string>;
}

/** One way in which a server is wrong. */
export interface Mistake {
  readonly name: string;
  readonly operation: string;
  /** Matches the ids, within the operation, of the requirements that state what the server does wrong. */
  readonly stated: RegExp;
  /** By place (`body application/json`, `query page`): the schema by which it is validated instead. */
  readonly accepts?: Readonly<Record<string, unknown>>;
  /** Changes the answer to a valid call. */
  readonly answer?: (draft: Draft) => void;
  /** The check that is left out. */
  readonly skips?: "credentials" | "identifier" | "required" | "media type";
  /** The parameter that `required` or `identifier` is about. */
  readonly parameter?: string;
}

/** A collection with its items. */
export interface Resource {
  readonly collection: string;
  readonly item: string;
  readonly parameter: string;
  readonly field: string;
  /** Identifiers that exist from the start. */
  readonly known?: readonly string[];
  /** Whether a PUT creates it. */
  readonly isChosen?: true;
}

export interface Serving {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  /** By scheme: the value of the header, query parameter or cookie. */
  readonly secrets: Readonly<Record<string, string>>;
  /** By field of bodies: the only text that the server knows. */
  readonly known: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly maker: Maker;
  readonly mistake?: Mistake | undefined;
}

interface Refusal {
  readonly refused: readonly number[];
}

const refuse = (...refused: number[]): Refusal => ({ refused });
const isRefusal = (value: unknown): value is Refusal => isObject(value) && "refused" in value;

/** Starts the server. @returns its address, and a function that stops it */
export const startServer = async (serving: Serving) => {
  const handle = handlerOf(serving);
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://server.test");
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const draft = handle(request.method ?? "GET", {
      url,
      path,
      headers: request.headers,
      body: Buffer.concat(chunks),
    });
    const text = draft.type === undefined ? "" : textOf(draft);
    response.writeHead(draft.status, {
      ...draft.headers,
      ...(draft.type !== undefined && { "content-type": draft.type }),
    });
    response.end(request.method === "HEAD" || draft.status === 204 ? undefined : text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

const textOf = ({ type = "", body }: Draft): string =>
  /json/.test(type) || typeof body !== "string" ? JSON.stringify(body) : body;

const handlerOf = (serving: Serving) => {
  const { operations, random, maker, mistake } = serving;
  const routes = operations
    .map((operation) => ({ operation, ...patternOf(operation.path) }))
    .sort((a, b) => a.names.length - b.names.length);
  // An identifier is never given again, also not after its resource was deleted.
  let given = 0;
  let ranges: readonly string[] = [];
  const isAccepted = (type: string): boolean => ranges.some((range) => matchesType(range, type));
  const stores = new Map(
    serving.resources.map((resource) => [
      resource.item,
      new Map<string, Json>((resource.known ?? []).map((id) => [id, {}])),
    ]),
  );
  const checks = new Map<unknown, (value: unknown) => boolean>();
  const fits = (operation: Operation, place: string, schema: unknown, value: unknown): boolean => {
    const used = mistake?.operation === operation.id ? (mistake.accepts?.[place] ?? schema) : schema;
    if (!checks.has(used)) checks.set(used, validatorOf(used));
    return checks.get(used)?.(value) === true;
  };
  const skips = (operation: Operation, what: Mistake["skips"], parameter?: string): boolean =>
    mistake?.operation === operation.id && mistake.skips === what && mistake.parameter === parameter;

  /** @returns the values in the path, or a refusal */
  const readParameters = (operation: Operation, request: Request, segments: Json) => {
    const ids: Record<string, string> = {};
    for (const parameter of operation.parameters) {
      const { name, in: place, required, schema } = parameter;
      const value = statedValue(parameter, request, segments);
      const isCondition = place === "header" && /^if-match$/i.test(name);
      if (value === undefined) {
        if (required && !skips(operation, "required", `${place} ${name}`))
          return isCondition ? refuse(428) : refuse(400, 422);
      } else if (isCondition && value !== "*") return refuse(412);
      else if (!fits(operation, `${place} ${name}`, schema, value)) {
        return place === "path" ? refuse(404, 400, 422) : refuse(400, 422);
      } else if (place === "path") ids[name] = String(value);
    }
    return ids;
  };

  const isUnknown = (value: unknown): boolean =>
    Object.entries(isObject(value) ? value : {}).some(
      ([name, text]) => typeof text === "string" && text !== (serving.known[name] ?? text),
    );

  const readBody = (operation: Operation, request: Request): unknown => {
    const { body } = operation;
    if (body === undefined) return undefined;
    if (request.body.length === 0 && request.headers["content-type"] === undefined)
      return body.required && !skips(operation, "required", "body") ? refuse(400, 422) : undefined;
    const type = String(request.headers["content-type"] ?? "");
    const all = Object.entries(body.content);
    const listed = all.find(([name]) => matchesType(name, type));
    const found = listed ?? (skips(operation, "media type") ? all[0] : undefined);
    if (found === undefined) return refuse(415, 400);
    const [name, content] = found;
    const value = readContent(content, listed === undefined ? name : type, request.body);
    if (value === undefined || isUnknown(value)) return refuse(400, 422);
    return content.schema === undefined || fits(operation, `body ${name}`, content.schema, value)
      ? { value }
      : refuse(400, 422);
  };

  /** Finds the stored resources that a path names. @returns a refusal if one is unknown */
  const lookUp = (operation: Operation, ids: Readonly<Record<string, string>>): Refusal | undefined => {
    for (const resource of serving.resources) {
      if (operation.path !== resource.item && !operation.path.startsWith(`${resource.item}/`)) continue;
      const key = keyOf(resource.item, ids);
      if (resource.isChosen && operation.method === "PUT") continue;
      if (!stores.get(resource.item)?.has(key) && !skips(operation, "identifier", resource.parameter))
        return refuse(404, 400);
    }
    return undefined;
  };

  const answer = (operation: Operation, status: number, shown?: (made: unknown) => unknown): Draft => {
    const documented = answerWith(operation, status);
    const headers: Record<string, string> = {};
    for (const { name, required, schema } of documented?.headers ?? [])
      if (required || random.chance(50)) headers[name] = String(maker.make(schema));
    const entries = Object.entries(documented?.content ?? {});
    if (status === 204 || (entries.length === 0 && status >= 300))
      return { status, type: undefined, body: undefined, headers };
    // A server chooses the type of what its document does not describe.
    if (entries.length === 0) return { status, type: "text/html", body: "text", headers };
    const offered = entries.filter(([type]) => isAccepted(type));
    const [type, content] = random.one(offered.length > 0 ? offered : entries);
    const made = content.schema === undefined ? "text" : maker.make(content.schema);
    const merged = shown?.(made) ?? made;
    const body = content.schema === undefined || validatorOf(content.schema)(merged) ? merged : made;
    return { status, type: concreteType(random, type), body, headers };
  };

  const succeed = (operation: Operation, ids: Readonly<Record<string, string>>, sent: unknown): Draft => {
    const created = serving.resources.find(({ collection }) => collection === operation.path);
    const item = serving.resources.find((resource) => resource.item === operation.path);
    const store = stores.get((created ?? item)?.item ?? "");
    const isChosen = item?.isChosen === true && operation.method === "PUT";
    const isNew = isChosen && !store?.has(keyOf(item.item, ids));
    const status = random.one(successesOf(operation).filter((one) => !isChosen || (one === 201) === isNew));
    if (created !== undefined && store !== undefined && operation.method === "POST") {
      const draft = answer(operation, status, (made) => overlaid(made, sent));
      const body = draft.body as Json;
      const id = identifierLike(body[created.field], ++given);
      body[created.field] = id;
      store.set(keyOf(created.item, { ...ids, [created.parameter]: String(id) }), body);
      return draft;
    }
    if (created !== undefined && store !== undefined) {
      const items = [...store.values()].slice(-3);
      return answer(operation, status, (made) => (Array.isArray(made) ? items : made));
    }
    if (item === undefined || store === undefined) return answer(operation, status);
    const key = keyOf(item.item, ids);
    const known = store.get(key) ?? {};
    if (operation.method === "DELETE") {
      store.delete(key);
      return answer(operation, status);
    }
    const changed = isObject(sent) ? { ...known, ...sent } : known;
    const draft = answer(operation, status, (made) =>
      isObject(made) ? { ...made, ...common(made, changed) } : made,
    );
    if (isObject(draft.body)) store.set(key, { ...changed, ...draft.body });
    return draft;
  };
  const refusalDraft = (operation: Operation, { refused }: Refusal): Draft => {
    const listed = refused.filter((status) => operation.answers.some(({ key }) => key === String(status)));
    const covered = refused.filter((status) => answerWith(operation, status) !== undefined);
    const status = listed[0] ?? (covered.length > 0 ? random.one(covered) : (refused[0] ?? 400));
    return answer(operation, status);
  };

  return (method: string, request: Request): Draft => {
    ranges = headerOf(request, "accept")?.split(",") ?? [];
    const fitting = routes.filter(({ regex }) => regex.test(request.path));
    const route = fitting.find(({ operation }) => operation.method === method);
    const bare = { type: undefined, body: undefined, headers: {} };
    if (route === undefined) return { status: fitting.length > 0 ? 405 : 404, ...bare };
    const { operation } = route;
    const segments: Json = Object.fromEntries(
      (route.regex.exec(request.path) ?? []).slice(1).map((text, index) => [route.names[index], text]),
    );
    if (!isAllowed(operation, request, serving.secrets) && !skips(operation, "credentials"))
      return refusalDraft(operation, refuse(401));
    const ids = readParameters(operation, request, segments);
    if (isRefusal(ids)) return refusalDraft(operation, ids);
    const unknown = lookUp(operation, ids);
    if (unknown !== undefined) return refusalDraft(operation, unknown);
    const sent = readBody(operation, request);
    if (isRefusal(sent)) return refusalDraft(operation, sent);
    const draft = succeed(operation, ids, isObject(sent) ? sent.value : undefined);
    if (!isAccepted(draft.type ?? "text/html")) return { status: 406, ...bare };
    if (mistake?.operation === operation.id) mistake.answer?.(draft);
    return draft;
  };
};

const statedValue = (parameter: Parameter, request: Request, segments: Json): unknown => {
  const { name, in: place } = parameter;
  if (place === "query") return readNamed(parameter, [...request.url.searchParams]);
  if (place === "cookie") return readNamed(parameter, cookiesIn(request.headers.cookie));
  if (place === "path") return readSegment(parameter, String(segments[name]), decodeURIComponent);
  const text = headerOf(request, name);
  return text === undefined ? undefined : readSegment(parameter, text, (one) => one);
};

/** Returns another identifier of the same form for each number. */
const identifierLike = (made: unknown, count: number): unknown => {
  if (typeof made === "number") return 1000 + count * 7;
  const text = String(made);
  return text.length === 36 ? `${text.slice(0, 24)}${String(count).padStart(12, "0")}` : `n${count}`;
};

/** The values of a stored resource that an answer shows. */
const common = (made: Json, known: Json): Json =>
  Object.fromEntries(Object.entries(known).filter(([name]) => name in made));

const overlaid = (made: unknown, sent: unknown): unknown =>
  isObject(made) && isObject(sent) ? { ...made, ...common(made, sent) } : made;

export const successesOf = ({ answers }: Operation): number[] => {
  const statuses = answers.flatMap(({ key }) =>
    /^[23]\d\d$/.test(key) ? [Number(key)] : key === "2XX" ? [200, 202] : [],
  );
  return statuses.length > 0 ? statuses : [200];
};
