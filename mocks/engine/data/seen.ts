/** The data that a sandbox starts with when it plays a recording: the resources that the real server showed. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Contract, JsonSchema } from "../../../helpers/contract/contract.ts";
import { getOrInsert, groupBy } from "../../../helpers/contract/memoize.ts";
import type { RecordedCall } from "../recorded.ts";
import type { SandboxService } from "../service.ts";
import { sandboxService } from "../services.ts";
import { type Shown, type ShownResource, shownIn } from "../shown.ts";
import { type Fields, fieldsIn, isObject } from "../values/fields.ts";
import { FORMATS } from "../values/formats.ts";
import { checkedData, type SandboxData } from "./data.ts";

/** @returns the resources that the data of the services can hold; others are only in the recorded answers */
export const dataSeenIn = async (
  calls: readonly RecordedCall[],
  contracts: readonly Contract[],
): Promise<SandboxData> => {
  const seen = await Promise.all(
    contracts.map(async (contract) => {
      const { service } = contract;
      const { dataSchema, dataSeen, shownAs = {} } = await sandboxService(service);
      const own = calls.filter((call) => call.service === service);
      const derived = dataSchema === undefined ? {} : dataIn(dataSchema, contract, own, shownAs);
      return [service, { ...dataSeen?.(own, contract), ...derived }] as const;
    }),
  );
  return checkedData(
    Object.fromEntries(seen.filter(([, data]) => Object.keys(data).length > 0)),
    contracts.map(({ service }) => service),
  );
};

/** In the schema, `x-resource` marks the identifier of a row, and `x-refers` the identifier of another row. */
const dataIn = (
  schema: JsonSchema,
  contract: Contract,
  calls: readonly RecordedCall[],
  shownAs: NonNullable<SandboxService["shownAs"]>,
): Fields => {
  const shown = underOneName(schema, shownIn(contract, calls, nestingIn(schema)));
  const rows = rowsFrom(shown, shownAs);
  return Object.fromEntries(
    Object.entries(propertiesOf(schema)).flatMap(([name, { items }]) => {
      const all = isObject(items) ? rows(items) : [];
      return all.length > 0 ? [[name, all]] : [];
    }),
  );
};

const propertiesOf = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  fieldsIn(properties) as Record<string, JsonSchema>;

/** Returns the part of a schema with the identifier of its rows. */
const ownPart = (row: JsonSchema): JsonSchema | undefined =>
  Object.values(propertiesOf(row)).find((part) => part["x-resource"] !== undefined);

const resourceOf = (row: JsonSchema): string | undefined => namedBy(ownPart(row), "x-resource");

const namedBy = (part: JsonSchema | undefined, mark: "x-resource" | "x-refers"): string | undefined =>
  part?.[mark] as string | undefined;

/** Returns the schema of the rows that a field contains. */
const rowIn = (part: JsonSchema): JsonSchema | undefined =>
  [part.items, part].filter(isObject).find((row) => resourceOf(row) !== undefined);

function* rowsBelow(schema: JsonSchema): Generator<readonly [owner: string | undefined, row: JsonSchema]> {
  for (const part of Object.values(propertiesOf(schema))) {
    const row = rowIn(part);
    if (row === undefined) continue;
    yield [resourceOf(schema), row];
    yield* rowsBelow(row);
  }
}

const nestingIn = (schema: JsonSchema) => {
  const pairs = new Set([...rowsBelow(schema)].map(([owner, row]) => `${owner} ${resourceOf(row)}`));
  return (owner: string, inner: string): boolean => pairs.has(`${owner} ${inner}`);
};

/** Joins the resources that one kind of rows holds (`x-also`), with the fields that tell them apart. */
const underOneName = (schema: JsonSchema, shown: Shown): Shown => {
  const joined = new Map([...shown].map(([resource, all]) => [resource, new Map(all)]));
  for (const [, row] of rowsBelow(schema)) {
    const resource = resourceOf(row) ?? "";
    for (const [other, fields] of Object.entries(fieldsIn(ownPart(row)?.["x-also"])))
      for (const [id, item] of shown.get(other) ?? []) {
        const all = getOrInsert(joined, resource, () => new Map<string, ShownResource>());
        const { views = [], others, names = [] } = all.get(id) ?? {};
        all.set(id, {
          views: [...(other === resource ? [] : views), ...item.views, fieldsIn(fields)],
          others: { ...others, ...item.others },
          names: new Set([...names, ...item.names]),
        });
      }
  }
  return joined;
};

/** Returns a function that makes the rows of a kind. A row whose required fields nobody saw is left out. */
const rowsFrom = (shown: Shown, shownAs: NonNullable<SandboxService["shownAs"]>) => {
  const made = new Set<string>();
  const { fitting, fits } = fitter();
  const idsOf = idsIn(shown);

  const rowOf = (schema: JsonSchema, resource: string, id: string, inside: string[]): Fields | undefined => {
    const { views = [], others = {}, names = new Set() } = shown.get(resource)?.get(id) ?? {};
    const fields: Fields = Object.assign({}, ...views);
    const [parts, own] = [propertiesOf(schema), ownPart(schema)];
    const value = (name: string, part: JsonSchema): unknown => {
      if (part === own) return asId(part, id);
      const refers = namedBy(part, "x-refers");
      if (refers !== undefined)
        return made.has(`${refers} ${others[refers]}`) ? asId(part, others[refers]) : undefined;
      const row = rowIn(part);
      const shownName = [name, ...(shownAs[name] ?? [])].find((one) => fields[one] !== undefined) ?? name;
      if (row === undefined) return fitting(part, fields[shownName]);
      const all = rowsOf(row, [resource, id], inside);
      if (row !== part) return all.length > 0 || Array.isArray(fields[name]) ? all : undefined;
      return all[0];
    };
    const taken = new Set([...Object.keys(parts), ...Object.values(shownAs).flat()]);
    const rest = Object.assign({}, ...views.filter((view) => isWhole(schema, view)).map(spread));
    const identifiers = new Set<unknown>(Object.values(others));
    const further = Object.entries(rest).filter(
      ([name, given]) => !taken.has(name) && !names.has(name) && !identifiers.has(given),
    );
    const row = Object.fromEntries(
      Object.entries(parts).flatMap(([name, part]) => {
        const one = name === "fields" ? Object.fromEntries(further) : value(name, part);
        return one === undefined ? [] : [[name, one]];
      }),
    );
    return fits(schema, row) ? row : undefined;
  };

  const rowsOf = (
    schema: JsonSchema,
    owner: readonly [string, string] | undefined,
    inside: string[],
  ): Fields[] => {
    const resource = resourceOf(schema);
    if (resource === undefined) return [];
    return idsOf(resource, owner).flatMap((id) => {
      const names = [resource, ...Object.keys(fieldsIn(ownPart(schema)?.["x-also"]))];
      const own = names.map((name) => `${name} ${id}`);
      const row = made.has(`${resource} ${id}`) ? undefined : rowOf(schema, resource, id, own);
      if (row === undefined) return [];
      inside.push(...own);
      return [row];
    });
  };

  return (schema: JsonSchema): Fields[] => {
    const inside: string[] = [];
    const rows = rowsOf(schema, undefined, inside);
    for (const one of inside) made.add(one);
    return rows;
  };
};

/** Returns a function that lists the identifiers of a resource, or of those that belong to another one. */
const idsIn = (shown: Shown) => {
  const ofOwner = new Map<string, ReadonlyMap<string | undefined, readonly string[]>>();
  return (resource: string, owner?: readonly [resource: string, id: string]): readonly string[] => {
    const all = shown.get(resource) ?? new Map<string, ShownResource>();
    if (owner === undefined) return [...all.keys()];
    const [outer, id] = owner;
    const groups = getOrInsert(ofOwner, `${resource} ${outer}`, () =>
      groupBy([...all.keys()], (own) => all.get(own)?.others[outer]),
    );
    return groups.get(id) ?? [];
  };
};

const fitter = () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: FORMATS });
  const fits = (schema: JsonSchema, value: unknown): boolean => ajv.validate(schema, value);
  /** Converts a value to the form of the data. @returns `undefined` if it does not fit */
  const fitting = (schema: JsonSchema, value: unknown): unknown => {
    if (value === undefined || value === null) return undefined;
    const own = schema.format === "date-time" ? instantIn(value) : picked(schema, value);
    return own !== undefined && fits(schema, own) ? own : undefined;
  };

  const picked = (schema: JsonSchema, value: unknown): unknown => {
    const parts = propertiesOf(schema);
    if (!isObject(value) || Object.keys(parts).length === 0) return value;
    return Object.fromEntries(
      Object.entries(parts).flatMap(([name, part]) => {
        const own = fitting(part, value[name]);
        return own === undefined ? [] : [[name, own]];
      }),
    );
  };

  return { fits, fitting };
};

const asId = ({ type }: JsonSchema, id: string | undefined): unknown =>
  type !== "integer" || id === undefined ? id : Number.isSafeInteger(Number(id)) ? Number(id) : undefined;

/** Whether a view shows what each row needs, so that its further fields belong to the resource. */
const isWhole = (schema: JsonSchema, view: Fields): boolean => {
  const parts = propertiesOf(schema);
  return ((schema.required ?? []) as readonly string[]).every((name) => {
    const { type, "x-resource": own, "x-refers": refers } = parts[name] ?? {};
    return own !== undefined || refers !== undefined || type === "array" || name === "fields" || name in view;
  });
};

/** Returns the fields of an answer, with those that it groups as details among them. */
const spread = ({ detail, ...others }: Fields): Fields => ({ ...fieldsIn(detail), ...others });

/** Returns an instant of an answer, in seconds since 1970 or in ISO 8601. */
const instantIn = (time: unknown): string | undefined => {
  const date = new Date(Number.isFinite(Number(time)) ? Number(time) * 1000 : String(time));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
