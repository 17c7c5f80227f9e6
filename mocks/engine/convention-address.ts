/** The addresses of created resources, in answers of a service without handlers of its own. */
import type { Call } from "./call.ts";
import type { State } from "./convention-state.ts";
import { addressOf } from "./deviations/rows.ts";

/** Whether the document describes the address in the answer. */
export const isAddressed = ({ operation: { responses } }: Call, status: number): boolean =>
  schemaIn(responses[status]) !== undefined;

/** Returns the header with the address of a resource, in the first form that its schema allows. */
export const addressed = (
  call: Call,
  baseUrl: string,
  state: State,
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
  const above = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(call.path[name] ?? ""),
  );
  const path = `${above}/${encodeURIComponent(shown)}`;
  const { pathname, href } = new URL(`${baseUrl}${path}`);
  const validate = validators.answer(schemaIn(responses[status]) ?? {});
  return { location: [pathname, href, path].find((one) => validate(one).length === 0) ?? pathname };
};

const schemaIn = (response: Call["operation"]["responses"][number] | undefined) =>
  Object.entries(response?.headers ?? {}).find(([name]) => /^location$/i.test(name))?.[1].schema;
