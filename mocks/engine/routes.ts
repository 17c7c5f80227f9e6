/** Registers a route for every operation and page, and sends answers and refusals. */
import type { IncomingMessage } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Contract, Operation } from "../../helpers/contract/contract.ts";
import { memoize } from "../../helpers/contract/memoize.ts";
import { markTroubled } from "./admin/record.ts";
import { type Answer, type Refusal, refusalFor, type Visit } from "./call.ts";
import { closedAsIdle, deliver } from "./deviations/delivery.ts";
import { type Habits, NO_HABITS } from "./deviations/habits.ts";
import { barePath, chosen, namedValues, type Route, routesOf } from "./dispatch.ts";
import { answerTo, documented, fitOf } from "./flow.ts";
import { type MountedService, mountOf, routeOf, type ServiceInstance, type Tenant } from "./tenant.ts";
import { applyTrouble } from "./trouble/apply.ts";
import { troubleIn } from "./trouble/header.ts";
import { completerFor } from "./values/complete.ts";
import type { Fields } from "./values/fields.ts";
import { unknownMethod, unknownPath } from "./wording.ts";

export const registerRoutes = (
  app: FastifyInstance,
  mountedServices: readonly MountedService[],
  {
    tenantOf,
    hasAdmin,
  }: {
    readonly tenantOf: (raw: IncomingMessage) => Tenant;
    /** Whether a request may ask for trouble by its header. */
    readonly hasAdmin: boolean;
  },
): void => {
  const instanceAt = (request: FastifyRequest): ServiceInstance | undefined => {
    const mounted = mountedServices.find(({ contract }) => request.url.startsWith(mountOf(contract)));
    return mounted === undefined ? undefined : tenantOf(request.raw).instances.get(mounted.contract.service);
  };
  const troubleFor = (request: FastifyRequest, operation: Operation, service: string) =>
    (hasAdmin ? troubleIn(request.headers) : undefined) ??
    tenantOf(request.raw).troubles.next(service, operation);
  for (const { contract, service } of mountedServices) {
    const mount = mountOf(contract);
    const instanceOf = ({ raw }: FastifyRequest) =>
      tenantOf(raw).instances.get(contract.service) as ServiceInstance;
    const routes = routesOf(contract, mount);
    for (const route of routes) {
      const [first] = route.operations;
      app.route({
        method: withHead(route, routes),
        url: route.url,
        config: { service: contract.service, operation: first.operationId },
        errorHandler: (error: FastifyError, request, reply) =>
          refuse(reply, instanceAt(request), documented(first, refusalOf(error)), first),
        handler: async (request, reply) => {
          const instance = instanceOf(request);
          const operation = chosen(route, request.query as Fields, (one) =>
            fitOf(instance, one, incoming(request, one)),
          );
          if (CODING.test(request.headers["content-encoding"] ?? ""))
            return refuse(reply, instance, documented(operation, CODED), operation);
          if (instance.habits.connections === "closed-when-idle" && closedAsIdle(request.raw.socket))
            return reply.hijack();
          const answer = async (): Promise<Answer> => {
            const own = await answerTo(instance, operation, incoming(request, operation));
            return instance.vary(
              instance.effects.answer(declared(own, operation, contract), operation),
              operation,
            );
          };
          const due = troubleFor(request, operation, contract.service);
          if (due === undefined) return send(reply, await answer(), instance.habits);
          if ("status" in due) return send(reply, due);
          markTroubled(request);
          const given = await applyTrouble(
            due,
            reply,
            answer,
            (status) =>
              successOf(contract, operation, status) ??
              service.refuse(refusalFor("trouble", { status }), { contract, operation }),
          );
          return given && send(reply, given, instance.habits);
        },
      });
    }
    registerPages(app, service, mount, instanceOf);
  }
  app.setNotFoundHandler((request, reply) => refuseUnserved(request, reply, instanceAt(request)));
  app.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(reply, instanceAt(request), refusalOf(error)),
  );
};

const registerPages = (
  app: FastifyInstance,
  { pages = [] }: MountedService["service"],
  mount: string,
  instanceOf: (request: FastifyRequest) => ServiceInstance,
): void => {
  for (const { name, method, path } of pages) {
    app.route({
      method,
      url: routeOf(mount, path),
      handler: async (request, reply) => {
        const { open, effects } = instanceOf(request);
        const answer = await open.pages?.[name]?.(visitOf(request, effects.behaves));
        send(reply, answer ?? { status: 404 });
      },
    });
  }
};

/** A server that answers GET answers HEAD as well (RFC 9110, 9.1), and Node leaves out the content. */
const withHead = ({ method, url }: Route, routes: readonly Route[]): HTTPMethods[] =>
  method === "GET" && !routes.some((one) => one.method === "HEAD" && one.url === url)
    ? ["GET", "HEAD"]
    : [method];

/** Returns what the contract shows for a status that is not a refusal. */
const successOf = (contract: Contract, operation: Operation, status: number): Answer | undefined => {
  const schema = operation.responses[status]?.content["application/json"];
  if (status >= 400 || schema === undefined) return undefined;
  return { status, json: completerFor(contract)(schema, undefined, operation.operationId) };
};

const refuseUnserved = (
  request: FastifyRequest,
  reply: FastifyReply,
  instance: ServiceInstance | undefined,
): ReturnType<typeof refuse> => {
  const methods = instance === undefined ? [] : methodsAt(instance.mounted.contract, request);
  if (methods.length > 0) reply.header("allow", methods.join(", "));
  return refuse(reply, instance, unservedRefusal(instance, request, methods));
};

/** Tells what is unknown: the path, or only its method. */
const unservedRefusal = (
  instance: ServiceInstance | undefined,
  { url, method }: FastifyRequest,
  methods: readonly string[],
): Refusal => {
  if (instance === undefined) return refusalFor("unknown-path");
  const { contract } = instance.mounted;
  return methods.length === 0
    ? refusalFor("unknown-path", { message: unknownPath(contract, mountOf(contract), pathOf(url)) })
    : refusalFor("unknown-method", { message: unknownMethod(methods, method) });
};

const methodsAt = (contract: Contract, { url }: FastifyRequest): string[] =>
  served(contract).flatMap(({ pattern, method }) => (pattern.test(pathOf(url)) ? [method] : []));

const pathOf = (url: string): string => url.split("?")[0] ?? "";

const CODING = /^(?!identity$)./i;
/** RFC 9110, 15.5.16. No document has content codings of requests. */
const CODED = refusalFor("content-type", { message: "A body with a content coding is not read here." });

/** Returns the patterns of all paths with their methods. */
const served = memoize((contract: Contract) =>
  contract.operations.map(({ path, method }) => ({
    pattern: new RegExp(`^${patternOf(`${mountOf(contract)}${barePath(path)}`)}$`),
    method,
  })),
);

const patternOf = (template: string): string =>
  template
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^/]+");

const incoming = (request: FastifyRequest, operation: Operation) => ({
  headers: request.headers,
  path: namedValues(operation, request.params as Record<string, string>),
  query: request.query as Record<string, unknown>,
  bytes: Buffer.isBuffer(request.body) ? request.body : NO_BYTES,
});

const NO_BYTES = Buffer.alloc(0);

const visitOf = (request: FastifyRequest, faulty: (behaviour: string) => boolean): Visit => {
  const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
  return {
    path: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    form: Object.fromEntries(fields),
    all: (field) => fields.getAll(field),
    faulty,
  };
};

const refusalOf = (error: FastifyError): Refusal => {
  const status = error.statusCode ?? 500;
  if (status === 413) return refusalFor("too-large");
  if (status === 415) return refusalFor("content-type");
  if (status < 500) return refusalFor("malformed-request", { status });
  process.stderr.write(`The sandbox failed: ${error.stack}\n`);
  return refusalFor("internal");
};

const refuse = async (
  reply: FastifyReply,
  instance: ServiceInstance | undefined,
  refusal: Refusal,
  operation?: Operation,
): Promise<FastifyReply | undefined> => {
  if (instance === undefined) {
    return send(reply, { status: refusal.status, json: { message: refusal.message } });
  }
  const { service, contract } = instance.mounted;
  const own = service.refuse(refusal, operation && { contract, operation });
  const answer = instance.effects.answer(operation ? declared(own, operation, contract) : own, operation);
  return send(reply, await instance.vary(answer, operation), instance.habits);
};

/** Adds the media type that the contract gives the JSON of the answer, and the headers that it describes. */
const declared = (answer: Answer, { responses }: Operation, contract: Contract): Answer => {
  const { jsonType, headers = {} } = responses[answer.status] ?? {};
  const described = Object.entries(headers).filter(([name, { required }]) => required || !OF_HTTP.test(name));
  const isTyped = jsonType === undefined || answer.json === undefined;
  if (isTyped && described.length === 0) return answer;
  const made = described.map(([name, { schema }]) => [
    name.toLowerCase(),
    String(completerFor(contract)(schema, undefined, name)),
  ]);
  const type = isTyped ? {} : { "content-type": jsonType };
  return { ...answer, headers: { ...type, ...Object.fromEntries(made), ...answer.headers } };
};

/** Optional headers that tell something about the answer or the connection (RFC 9110, 9111): an invented value would be wrong. */
const OF_HTTP =
  /^(?:access-control|accept|content|cache|set|transfer|last|retry|proxy|strict|www|upgrade|sec)-|^(?:age|allow|connection|date|etag|expires|keep-alive|link|location|pragma|server|trailer|upgrade|vary|via|warning)$/i;

/** Returns a reply only while it is being streamed: a returned reply adds a listener to each response. */
const send = (reply: FastifyReply, answer: Answer, habits: Habits = NO_HABITS): FastifyReply | undefined => {
  const { status, headers, json, written, raw } = answer;
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (raw !== undefined) {
    if (raw.contentType !== undefined) reply.type(raw.contentType);
    return deliver(reply, raw.content, habits);
  }
  if (json === undefined && written === undefined) return deliver(reply, undefined, habits);
  if (headers?.["content-type"] === undefined) reply.type("application/json; charset=utf-8");
  return deliver(reply, written ?? sendable(JSON.stringify(json)), habits);
};

/** Characters up to which Node writes headers and body in one piece faster than it writes a buffer after the headers. */
const LONGEST_TEXT = 8192;

/** Node copies a long text twice before it writes it, and a buffer not at all. */
const sendable = (text: string): string | Buffer => (text.length > LONGEST_TEXT ? Buffer.from(text) : text);
