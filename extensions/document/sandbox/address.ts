/** The addresses of resources and of pages, in answers of a service without handlers of its own. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import type { Call } from "../../../mocks/engine/call.ts";
import { addressOf } from "../../../mocks/engine/deviations/rows.ts";
import type { State } from "./state.ts";

/** Whether the document describes the address in the answer. */
export const isAddressed = ({ operation: { responses } }: Call, status: number): boolean =>
  schemaIn(responses[status]) !== undefined;

/** Returns the header with the address of a resource, in the first form that its schema allows. */
export const addressed = (
  call: Call,
  {
    contract,
    baseUrl,
    state,
  }: { readonly contract: Contract; readonly baseUrl: string; readonly state: State },
  { resource, id, status }: { readonly resource: string; readonly id: string; readonly status: number },
): Readonly<Record<string, string>> => {
  const { operation, validators, faulty } = call;
  const { operationId, responses } = operation;
  const [first = id] = state.of(resource).keys();
  const shown = faulty(addressOf(operationId, "nothing"))
    ? String(state.freshId(resource, state.schemaOf(resource)))
    : faulty(addressOf(operationId, "first"))
      ? first
      : id;
  const path = `${filled(collectionOf(contract, operation, resource), call)}/${encodeURIComponent(shown)}`;
  const { pathname, href } = new URL(`${calledAt(call, baseUrl)}${path}`);
  const validate = validators.answer(schemaIn(responses[status]) ?? {});
  return { location: [pathname, href, path].find((one) => validate(one).length === 0) ?? pathname };
};

/** Returns the path above the members of a resource: the one of the call itself, unless their read has another. */
const collectionOf = ({ operations }: Contract, { path }: Operation, resource: string): string => {
  const reads = operations.filter(
    (one) =>
      one.method === "GET" &&
      one.path.endsWith("}") &&
      one.parameters.findLast(({ in: place }) => place === "path")?.resource === resource,
  );
  const collections = reads.map((one) => one.path.slice(0, one.path.lastIndexOf("/")));
  return collections.includes(path) ? path : (collections[0] ?? path);
};

/** Returns the address of a call, without its query, as the client sees it. */
export const ownAddress = (call: Call, baseUrl: string): string =>
  `${calledAt(call, baseUrl)}${filled(call.operation.path, call)}`;

/** Returns a path with the values of the call. */
const filled = (template: string, { path }: Call): string =>
  template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));

/** Returns the base URL with the scheme and the host that the client called. Proxies name them (RFC 7239, 4). */
const calledAt = ({ headers }: Call, baseUrl: string): string => {
  const { protocol, host, pathname } = new URL(baseUrl);
  const first = (name: string): string | undefined => [headers[name]].flat()[0]?.split(",")[0]?.trim();
  const scheme = first("x-forwarded-proto") ?? protocol.slice(0, -1);
  const called = `${scheme}://${first("x-forwarded-host") ?? first("host") ?? host}`;
  return /^https?:/.test(called) && URL.canParse(called) ? `${new URL(called).origin}${pathname}` : baseUrl;
};

const schemaIn = (response: Call["operation"]["responses"][number] | undefined) =>
  Object.entries(response?.headers ?? {}).find(([name]) => /^location$/i.test(name))?.[1].schema;
