/** Troubles that a user asks for: late, replaced, lost and broken answers. They are neither faults nor differences. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import { DataError } from "../data/data-error.ts";
import { randomOf } from "../values/random.ts";
import schema from "./trouble.schema.json" with { type: "json" };

/** One trouble, as `trouble.schema.json` describes it. */
export interface Trouble {
  readonly service?: string;
  readonly operation?: string | readonly string[];
  readonly latency?: number | { readonly least: number; readonly most: number };
  readonly answer?: TroubleAnswer;
  readonly connection?: "dropped" | "reset" | "half-written";
  readonly processed?: boolean;
  readonly nth?: number | readonly number[];
  readonly share?: number;
  readonly seed?: number;
}

export interface TroubleAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfter?: number | string;
}

/** What happens to one request. */
export interface DueTrouble {
  readonly trouble: Trouble;
  /** Milliseconds. */
  readonly latency: number;
}

/** Returns the troubles of one tenant. */
export const troublesOf = (initial: readonly Trouble[] = []) => {
  let counted = initial.map(fresh);
  return {
    list: () => counted.map(({ trouble, calls }) => ({ ...trouble, calls })),
    add: (troubles: readonly Trouble[]): void => {
      counted = [...counted, ...troubles.map(fresh)];
    },
    clear: (): void => {
      counted = [];
    },
    /** Counts the request for each trouble that concerns it. @returns the first one that applies */
    next: (service: string, operation: Operation): DueTrouble | undefined => {
      if (counted.length === 0) return undefined;
      const concerned = counted.filter(({ trouble }) => concerns(trouble, service, operation));
      for (const entry of concerned) entry.calls += 1;
      const applied = concerned.find(applies);
      return applied && dueOf(applied.trouble, applied.calls);
    },
  };
};

/** Returns the due of a single request, from its header. */
export const dueOf = (trouble: Trouble, call = 1): DueTrouble => {
  const { latency = 0, seed = 1 } = trouble;
  if (typeof latency === "number") return { trouble, latency };
  return { trouble, latency: randomOf(`${seed} latency ${call}`).integer(latency.least, latency.most) };
};

const fresh = (trouble: Trouble) => ({ trouble, calls: 0 });

const concerns = ({ service, operation }: Trouble, own: string, { operationId }: Operation): boolean =>
  (service === undefined || service === own) &&
  (operation === undefined || [operation].flat().includes(operationId));

const applies = ({ trouble: { nth, share, seed = 1 }, calls }: ReturnType<typeof fresh>): boolean =>
  (nth === undefined || [nth].flat().includes(calls)) &&
  (share === undefined || randomOf(`${seed} share ${calls}`).next() < share);

const ajv = new Ajv2020({ strict: false, validateSchema: false });
let compiled: ReturnType<typeof ajv.compile> | undefined;

/**
 * @param value a list of troubles, or an object with the list as `troubles`
 * @param contracts of the sandbox; names are not checked if absent
 * @throws DataError when it is neither, or names an unknown service or operation
 */
export const checkedTroubles = (value: unknown, contracts?: readonly Contract[]): readonly Trouble[] => {
  const inner = (value as { troubles?: unknown } | null)?.troubles;
  const path = inner === undefined ? [] : ["troubles"];
  const list = inner ?? value;
  compiled ??= ajv.compile(schema);
  if (!compiled(list)) {
    const [error] = compiled.errors ?? [];
    const extra = error?.params.additionalProperty;
    const words = extra === undefined ? error?.message : `"${extra}" is unknown here`;
    throw new DataError([...path, ...segmentsOf(error?.instancePath ?? "")], words ?? "is not valid");
  }
  const troubles = list as readonly Trouble[];
  if (contracts === undefined) return troubles;
  for (const [index, { service, operation }] of troubles.entries()) {
    const own = contracts.filter((contract) => service === undefined || contract.service === service);
    if (own.length === 0)
      throw new DataError([...path, index, "service"], `there is no service "${service}"`);
    const unknown = [operation ?? []]
      .flat()
      .find((id) => !own.some(({ operations }) => operations.some(({ operationId }) => operationId === id)));
    if (unknown !== undefined)
      throw new DataError([...path, index, "operation"], `there is no operation "${unknown}"`);
  }
  return troubles;
};
