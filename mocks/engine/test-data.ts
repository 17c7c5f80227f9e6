/** The test data of a sandbox without an admin interface: situations that exist from the start. */
import type { OpenService, SandboxService } from "./service.ts";
import type { Fields } from "./values/fields.ts";

/** The items of each situation, by its name. */
export type TestData = Readonly<Record<string, readonly TestItem[]>>;

export interface TestItem {
  /** The parameters of the situation; absent if it has none. */
  readonly with?: Fields;
  /** By name of the identifier, for example `{ customer: "1" }`. */
  readonly ids: Readonly<Record<string, string>>;
}

export const addTestData = async (
  opened: readonly { readonly service: SandboxService; readonly open: OpenService }[],
): Promise<TestData> => {
  const data: Record<string, TestItem[]> = {};
  for (const {
    service: { service, testData = {} },
    open,
  } of opened) {
    for (const [name, wanted] of Object.entries(testData)) {
      const items: TestItem[] = [];
      for (const parameters of wanted) {
        const environment = (await open.situations[name]?.(parameters)) ?? {};
        const isPlain = Object.keys(parameters).length === 0;
        items.push({ ...(!isPlain && { with: parameters }), ids: idsIn(service, environment) });
      }
      data[name] = items;
    }
  }
  return data;
};

/** Returns identifiers by name: `{ partner: "1" }` for `{ PARCELS_PARTNER_ID: "1" }`. */
export const idsIn = (
  service: string,
  environment: Readonly<Record<string, string>>,
): Record<string, string> => {
  const prefix = `${service}-`;
  return Object.fromEntries(
    Object.entries(environment).map(([variable, value]) => [
      variable.toLowerCase().replaceAll("_", "-").replace(prefix, "").replace(/-id$/, ""),
      value,
    ]),
  );
};
